import { openConnection, type CacheClient, type CacheServer } from "./cache-client.js";

/** Something changed, so that every node should look; and a key that it should forget even where it cannot look. */
export interface Announcement {
  /** The public id of a key that was revoked. */
  revokedKey?: string;
}

export interface AnnouncementListenerOptions extends CacheServer {
  /** This node's id. It ignores its own announcements. */
  nodeId: string;
  /** Another node announced this. */
  onAnnouncement(announcement: Announcement): void;
}

const CHANNEL = "payinference:catalog";

/** Announces changes to the other nodes, in addition to PostgreSQL's notifications. Delivery is best effort. */
export function announceTo(cache: CacheClient, nodeId: string): (announcement: Announcement) => void {
  return (announcement) => {
    void cache.publish(CHANNEL, JSON.stringify({ from: nodeId, ...announcement }));
  };
}

/**
 * SET-5: CACHE_URL, "invalidations": a node's changes reach the others through the cache as well, including nodes that
 * PostgreSQL's notifications do not reach. A subscription needs a connection of its own.
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

/** Everybody who may write to the cache may write to this channel. Null for a text that is no announcement. */
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
