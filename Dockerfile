# glibc is required: uWebSockets.js, LMDB and PostgreSQL are prebuilt against it (no Alpine).
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY workers workers
COPY bench bench
COPY test test
RUN npm run --silent build \
 && npm prune --omit=dev \
 && ARCH="$(node -p 'process.arch')" ABI="$(node -p 'process.versions.modules')" \
 && find node_modules/uWebSockets.js/dist/bin -name '*.node' ! -name "uws_linux_${ARCH}_${ABI}.node" -delete \
 && rm -rf dist/test dist/bench

FROM node:20-bookworm-slim
# A container brings its own database: DATABASE_URL is expected. The embedded one works too, under /data.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY migrations migrations
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=5s --timeout=2s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The flag is explained in ARCHITECTURE.md, "Decisions".
CMD ["node", "--single-threaded-gc", "dist/src/main.js"]
