# syntax=docker/dockerfile:1
# The server in a small image: see docs/docker.md.

ARG RUST_VERSION=1.95

FROM rust:${RUST_VERSION}-slim-bookworm AS build
WORKDIR /src
COPY . .
# The archive of `cargo xtask dist`: the program with its papers and the licences of what it is made of.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    rm -f target/dist/taquin-*.tar.gz* \
    && cargo xtask dist \
    && mkdir /opt/taquin \
    && tar -xzf target/dist/taquin-*.tar.gz --strip-components=1 -C /opt/taquin

FROM debian:bookworm-slim
COPY --from=build /opt/taquin /opt/taquin
RUN ln -s /opt/taquin/taquin /usr/local/bin/taquin \
    && install -d -o 10001 -g 10001 /var/lib/taquin/tables

# Tables are the only thing that is ever written. A volume takes over the owner of this folder.
ENV TAQUIN_TABLES=/var/lib/taquin/tables
VOLUME ["/var/lib/taquin/tables"]

# Not root; the number needs no entry in /etc/passwd.
USER 10001:10001

EXPOSE 8015
STOPSIGNAL SIGTERM

# Bash opens connections by itself, so that nothing has to be installed.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8015 && printf 'GET /api/v1/about HTTP/1.1\\r\\nHost: 127.0.0.1:8015\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 4 answer <&3 && [[ $answer == 'HTTP/1.1 200'* ]]"]

# Inside the container it listens on all addresses; who reaches it from outside is up to --publish.
ENTRYPOINT ["taquin"]
CMD ["serve", "--listen", "0.0.0.0:8015"]
