//! The store of tables: files that are there or not, damaged or not, wanted by several at once.

mod any_file;
mod builders;
mod changes;
mod damage;
mod files;
mod strange_files;
mod support;
mod waiting;
