"""podman-compose for podman 4.3 of Debian 12, for .ci/containers. That one cannot start a container whose required container
requires another, so that containers are made without `--requires`; podman-compose keeps the order of `depends_on` itself. It
cannot wait for health either, nor look at it without systemd: here its checks are run until one is well."""

import asyncio
import subprocess

import podman_compose

HEALTHY = podman_compose.ServiceDependencyCondition.HEALTHY
CHECKS = 120

to_args = podman_compose.container_to_args
check_conditions = podman_compose.check_dep_conditions


async def without_requires(compose, cnt, detached=True, no_deps=False):
    return await to_args(compose, cnt, detached, True)


async def with_health(compose, deps):
    deps = deps or set()
    await check_conditions(compose, {dep for dep in deps if dep.condition != HEALTHY})
    for dep in deps:
        if dep.condition == HEALTHY:
            for container in compose.container_names_by_service[dep.name]:
                await healthy(compose, container)


async def healthy(compose, container):
    for _ in range(CHECKS):
        try:
            return await compose.podman.output([], "healthcheck", ["run", container])
        except subprocess.CalledProcessError:
            await asyncio.sleep(1)
    raise SystemExit(f"{container} does not become healthy")


if __name__ == "__main__":
    podman_compose.container_to_args = without_requires
    podman_compose.check_dep_conditions = with_health
    podman_compose.main()
