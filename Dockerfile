# The Eruca service in one image: `docker build -t eruca .`
# With ONNX Runtime, for embedding models in a folder: `docker build --build-arg ONNXRUNTIME=yes -t eruca:onnx .`

# All crates, built from the manifests alone: a change of Eruca's own sources does not build them again.
FROM docker.io/library/rust:1-slim-bookworm AS dependencies
# A C compiler for zstd, ring, Oniguruma and Lua; nothing else is built from C by default.
# Debian keeps no older versions that one could name.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Cargo.toml Cargo.lock ./
COPY api/Cargo.toml api/
COPY compute/Cargo.toml compute/
COPY dataset/Cargo.toml dataset/
COPY documents/Cargo.toml documents/
COPY eval/Cargo.toml eval/
COPY indexer/Cargo.toml indexer/
COPY knowledge/Cargo.toml knowledge/
COPY language/Cargo.toml language/
COPY planner/Cargo.toml planner/
COPY sparql/Cargo.toml sparql/
COPY store/Cargo.toml store/
COPY testing/Cargo.toml testing/
COPY verbalize/Cargo.toml verbalize/
# Cargo features to turn on, for example --build-arg FEATURES=model-download.
ARG FEATURES=""
# `off` builds faster, a larger and slower program.
ARG CARGO_PROFILE_RELEASE_LTO=thin
# Empty sources, and no tests or benchmarks: the manifests end with these.
RUN sed -i '/^\[\[/,$d' Cargo.toml */Cargo.toml \
    && mkdir src api/src compute/src dataset/src documents/src eval/src indexer/src knowledge/src language/src planner/src sparql/src store/src testing/src verbalize/src \
    && touch src/lib.rs api/src/lib.rs compute/src/lib.rs dataset/src/lib.rs documents/src/lib.rs eval/src/lib.rs indexer/src/lib.rs knowledge/src/lib.rs language/src/lib.rs planner/src/lib.rs sparql/src/lib.rs store/src/lib.rs testing/src/lib.rs verbalize/src/lib.rs \
    && echo 'fn main() {}' > src/main.rs \
    && cargo build --release --locked --bin eruca --features "$FEATURES"

FROM dependencies AS builder
# Once more: not all engines hand arguments on to the stages behind.
ARG FEATURES=""
ARG CARGO_PROFILE_RELEASE_LTO=thin
COPY . .
# Newer than the empty ones that have been built: Cargo goes by the time of a file.
RUN touch src/lib.rs src/main.rs api/src/lib.rs compute/src/lib.rs dataset/src/lib.rs documents/src/lib.rs eval/src/lib.rs indexer/src/lib.rs knowledge/src/lib.rs language/src/lib.rs planner/src/lib.rs sparql/src/lib.rs store/src/lib.rs testing/src/lib.rs verbalize/src/lib.rs \
    && cargo build --release --locked --bin eruca --features "$FEATURES"

# What the program needs of a system: the C library, that of C++ for ONNX Runtime, and certificates.
# Times are told in UTC alone, so that there are no time zones.
FROM docker.io/library/debian:bookworm-slim AS system
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libstdc++6 \
    && rm -rf /var/lib/apt/lists/*
# The number of the account is fixed, so that bind mounts can be given to it. A new named volume takes the owner of /data.
# Scanners find the packages by their entries in status.d.
RUN mkdir -p /system/etc/ssl/certs /system/lib64 /system/usr/bin /system/usr/share/doc /system/var/lib/dpkg/status.d \
    && install --directory --mode=1777 /system/tmp \
    && install --directory --owner=10001 --group=10001 /system/data \
    && libraries=/usr/lib/$(uname -m)-linux-gnu && mkdir -p "/system$libraries" && ln -s usr/lib /system/lib \
    && for name in libc libm libdl libpthread librt libresolv libgcc_s libstdc++; do \
        cp --dereference "/lib/${libraries##*/}/$name".so.[0-9] "/system$libraries/" 2>/dev/null \
        || cp --dereference "$libraries/$name".so.[0-9] "/system$libraries/" || exit 1; done \
    && cp --dereference /lib64/ld-linux-*.so.* /system/lib64/ \
    && cp /etc/ssl/certs/ca-certificates.crt /system/etc/ssl/certs/ \
    && for package in libc6 libgcc-s1 libstdc++6 ca-certificates; do \
        dpkg --status "$package" > "/system/var/lib/dpkg/status.d/$package" \
        && mkdir "/system/usr/share/doc/$package" \
        && cp "/usr/share/doc/$package/copyright" "/system/usr/share/doc/$package/" || exit 1; done \
    && cp /etc/os-release /system/etc/ \
    && echo 'hosts: files dns' > /system/etc/nsswitch.conf \
    && echo 'eruca:x:10001:10001::/data:/usr/sbin/nologin' > /system/etc/passwd \
    && echo 'eruca:x:10001:' > /system/etc/group

# With --build-arg ONNXRUNTIME=yes also the library for embedding models in a folder: [embedding] provider = "onnx".
ARG ONNXRUNTIME=""
COPY config/embeddings/onnxruntime.txt /
# hadolint ignore=DL3008
RUN if [ -n "$ONNXRUNTIME" ]; then \
        apt-get update && apt-get install --yes --no-install-recommends python3-pip \
        && python3 -m pip download --no-deps --only-binary :all: --require-hashes --requirement onnxruntime.txt --dest /wheel \
        && python3 -m zipfile -e /wheel/*.whl /wheel \
        && install --mode=644 /wheel/onnxruntime/capi/libonnxruntime.so.* "/system/usr/lib/$(uname -m)-linux-gnu/libonnxruntime.so" \
        && install -D --mode=644 --target-directory=/system/usr/share/doc/onnxruntime /wheel/onnxruntime/LICENSE /wheel/onnxruntime/ThirdPartyNotices.txt \
        && rm -rf /wheel /var/lib/apt/lists/*; \
    fi

FROM scratch
COPY --from=system /system /
COPY LICENSE /usr/share/doc/eruca/LICENSE
COPY --from=builder /build/target/release/eruca /usr/bin/eruca
# The default, 127.0.0.1, could not be reached from outside the container.
ENV ERUCA__SERVER__HOST=0.0.0.0 PATH=/usr/bin
# The number, so that orchestrators can see that it is not root.
USER 10001:10001
# The default index folder is `data` in the working directory: here, the volume.
WORKDIR /
VOLUME /data
EXPOSE 8080
# The start period is long because the first start may build an index.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 CMD ["eruca", "health"]
ARG VERSION="" REVISION=""
LABEL org.opencontainers.image.title="Eruca" \
    org.opencontainers.image.description="Questions in plain language over any RDF graph, answered with SPARQL that has been run" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION" \
    io.modelcontextprotocol.server.name="io.github.eruca/eruca"
# The last one is how the registry of MCP servers knows that server.json speaks of this image.
ENTRYPOINT ["eruca"]
CMD ["serve"]
