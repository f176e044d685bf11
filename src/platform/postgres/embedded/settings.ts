import { totalmem } from "node:os";

const MIB = 1024 ** 2;

/**
 * The embedded server's postgresql.conf, rewritten at each start. It keeps PostgreSQL's defaults for durability: fsync,
 * full_page_writes and synchronous_commit are on. The other settings suit one small machine that also runs the service.
 * There is no replication, and checkpoints are few and late. Queries are not parallel, so that they take no cores from
 * decisions. Compression is pglz, because the packaged binaries have neither lz4 nor zstd.
 */
export function postgresConf(socketDir: string): string {
  const memoryMib = Math.floor(totalmem() / MIB);
  const settings: Record<string, string> = {
    listen_addresses: "''",
    unix_socket_directories: quote(socketDir),
    unix_socket_permissions: "0700",
    port: "5432",
    // A node uses up to two dozen connections. Tests and operators may let several nodes share one server.
    max_connections: "120",
    shared_buffers: memoryMib < 2048 ? "128MB" : "256MB",
    effective_cache_size: `${Math.max(256, Math.floor(memoryMib / 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "128MB",
    wal_level: "minimal",
    max_wal_senders: "0",
    wal_buffers: "16MB",
    min_wal_size: "256MB",
    max_wal_size: "4GB",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    random_page_cost: "1.1",
    jit: "off",
    max_parallel_workers_per_gather: "0",
    autovacuum_max_workers: "2",
    idle_in_transaction_session_timeout: "'60s'",
    timezone: "'UTC'",
    log_timezone: "'UTC'",
    // Statements and errors can contain order ids, which no log may contain (TELE-10). So the server logs neither. The
    // client still receives the errors.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    cluster_name: "'payinference'",
    // After a crash the server writes the files of its directory to the disk. One by one that took 10 s, which is all
    // the time that it has to be back (SET-2). Only Linux can do it in one call.
    ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}

/** Allows every connection by the socket. The socket's directory belongs to the server's user and has mode 0700. */
export const POSTGRES_HBA = "local all all trust\n";

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
