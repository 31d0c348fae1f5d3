# The Eruca service in one image: `docker build -t eruca .`
# The cache mounts need BuildKit, which is the default since Docker 23.

FROM rust:1-slim-bookworm AS builder
# A C compiler for zstd, ring and Oniguruma; nothing else is built from C by default.
# Debian keeps no older versions that one could name.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# Cargo features to turn on, for example --build-arg FEATURES=model-download.
ARG FEATURES=""
# The binary is copied out because a cache mount is not part of the image.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --release --locked --bin eruca --features "$FEATURES" \
    && cp target/release/eruca /usr/local/bin/eruca

FROM debian:bookworm-slim
# rustls reads the system's certificates.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
# A fixed number, so that bind mounts can be given to it. A new named volume takes the owner of /data.
RUN groupadd --gid 10001 eruca \
    && useradd --uid 10001 --gid eruca --no-create-home --home-dir /data --shell /usr/sbin/nologin eruca \
    && install --directory --owner=eruca --group=eruca /data
COPY --from=builder /usr/local/bin/eruca /usr/local/bin/eruca
COPY LICENSE /usr/share/doc/eruca/LICENSE
# The default, 127.0.0.1, could not be reached from outside the container.
ENV ERUCA__SERVER__HOST=0.0.0.0
# The number, so that orchestrators can see that it is not root.
USER 10001:10001
# The default index folder is `data` in the working directory: here, the volume.
WORKDIR /
VOLUME /data
EXPOSE 8080
# Bash speaks enough HTTP for one status line; a curl only for this would add a dozen libraries to patch.
# The start period is long because the first start may build an index.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r -t 4 _ status _ <&3 && [[ $status == 200 ]]"]
# By which the registry of MCP servers knows that server.json speaks of this image.
LABEL io.modelcontextprotocol.server.name="io.github.eruca/eruca"
ENTRYPOINT ["eruca"]
CMD ["serve"]
