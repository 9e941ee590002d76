# What runs models: Python and the package, without a compiler.
#   docker build -f docker/runtime.Dockerfile -t paddle-lite-predictor .
#   docker run --rm -v "$PWD:/data" paddle-lite-predictor run model.nb --input x:1x3x224x224
FROM python:3.12-slim AS build
# The distribution's compiler, whichever it is: the build takes every C++17 one.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps -w /wheels .

FROM python:3.12-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir /wheels/*.whl && lite doctor
RUN useradd --create-home --uid 1000 user
USER 1000
WORKDIR /data
ENTRYPOINT ["lite"]
