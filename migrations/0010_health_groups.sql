-- A decision names what it saw by half of a SHA-256: 16 bytes, 22 characters in its document. The content is brotli over
-- JSON (src/health/recorded-group.ts), and the hash that of the JSON.
alter table health_views drop constraint health_views_content_hash_check;
alter table health_views add check (length(content_hash) = 16);
