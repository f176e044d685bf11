# glibc is required: uWebSockets.js, LMDB and PostgreSQL are prebuilt against it (no Alpine).
# `npm run images:pin` renews the digests, here and under deploy/.
FROM node:22-bookworm-slim@sha256:48e4b67d85f87bd551df43704e24d252f56cc5f8e9718841aace50f19948f0f9 AS build
WORKDIR /app
# .npmrc comes first: no package runs a script of its own.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY build build
COPY src src
COPY workers workers
RUN npm run --silent build \
 && npm prune --omit=dev \
 && ARCH="$(node -p 'process.arch')" ABI="$(node -p 'process.versions.modules')" \
 && find node_modules/uWebSockets.js/dist/bin -name '*.node' ! -name "uws_linux_${ARCH}_${ABI}.node" -delete \
 && test -s "node_modules/uWebSockets.js/dist/bin/uws_linux_${ARCH}_${ABI}.node" \
 && node -e "import('./dist/src/platform/postgres/embedded/install.js').then((module) => module.locatePostgres())" \
 && mv "$(readlink -f dist)" built

FROM node:22-bookworm-slim@sha256:48e4b67d85f87bd551df43704e24d252f56cc5f8e9718841aace50f19948f0f9
# A container brings its own database: DATABASE_URL is expected. The embedded one works too, under /data.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/built dist
COPY migrations migrations
COPY clickhouse clickhouse
# `payinference doctor` looks at the set-up of a container.
RUN mkdir /data && chown node:node /data \
 && chmod +x dist/service/payinference.js && ln -s /app/dist/service/payinference.js /usr/local/bin/payinference
USER node
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=5s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# docs/decisions/0043-v8-collects-without-helpers.md says why the flag is there.
CMD ["node", "--single-threaded-gc", "dist/service/main.js"]
