# What builds and tests: the machine that README's commands and .ci/run expect.
#   docker build -f docker/build.Dockerfile -t paddle-lite-build .
#   docker run --rm -v "$PWD:/source" paddle-lite-build .ci/run
FROM python:3.11-bookworm
# The distribution's compiler, whichever it is: the build takes every C++17 one.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends g++ git && rm -rf /var/lib/apt/lists/*
RUN git config --system --add safe.directory /source
WORKDIR /source
CMD ["bash"]
