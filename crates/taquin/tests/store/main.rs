//! The store of tables: files that are there or not, damaged or not, wanted by several at once.

mod builders;
mod damage;
mod files;
mod support;
