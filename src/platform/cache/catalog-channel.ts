import { openConnection, type CacheClient, type CacheServer } from "./cache-client.js";

/**
 * Tells the other nodes that something changed, so that they look for changes. If it names a revoked key, nodes that
 * cannot reach PostgreSQL forget the key too.
 */
export interface Announcement {
  /** The public id of a key that was revoked. */
  revokedKey?: string;
}

export interface AnnouncementListenerOptions extends CacheServer {
  /** This node's id. The listener ignores this node's own announcements. */
  nodeId: string;
  /** Called when another node has announced a change. */
  onAnnouncement(announcement: Announcement): void;
}

const CHANNEL = "payinference:catalog";

/** Announces changes to the other nodes, in addition to PostgreSQL's notifications. Messages may be lost. */
export function announceTo(cache: CacheClient, nodeId: string): (announcement: Announcement) => void {
  return (announcement) => {
    void cache.publish(CHANNEL, JSON.stringify({ from: nodeId, ...announcement }));
  };
}

/**
 * SET-5: with CACHE_URL, a node's changes are also announced through the cache. They then reach nodes that get no
 * notifications from PostgreSQL. A subscription needs its own connection.
 */
export function listenToAnnouncements(options: AnnouncementListenerOptions): { close(): void } {
  const { url, ca, nodeId, onAnnouncement } = options;
  const subscriber = openConnection({ url, ca }, "payinference-subscribe");
  subscriber.on("ready", () => void subscriber.subscribe(CHANNEL).catch(() => undefined));
  subscriber.on("message", (_channel: string, message: string) => {
    const announcement = parse(message);
    if (announcement !== null && announcement.from !== nodeId) onAnnouncement(announcement);
  });
  return { close: () => subscriber.disconnect() };
}

/**
 * Parses a message. Returns null for anything but an announcement, because everybody with access to the cache may write
 * to the channel.
 */
function parse(message: string): (Announcement & { from: string }) | null {
  try {
    const value = JSON.parse(message) as Partial<Announcement & { from: string }> | null;
    if (value === null || typeof value.from !== "string") return null;
    const { from, revokedKey } = value;
    return typeof revokedKey === "string" ? { from, revokedKey } : { from };
  } catch {
    return null;
  }
}
