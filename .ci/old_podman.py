"""podman-compose for podman 4.3 of Debian 12, for .ci/containers: that one cannot start a container whose required container
requires another, so that containers are made without `--requires`. The order of `depends_on` is kept by podman-compose itself."""

import podman_compose

to_args = podman_compose.container_to_args


async def without_requires(compose, cnt, detached=True, no_deps=False):
    return await to_args(compose, cnt, detached, True)


if __name__ == "__main__":
    podman_compose.container_to_args = without_requires
    podman_compose.main()
