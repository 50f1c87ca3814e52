/**
 * The address to open the media connection at (specification, section 7): one that is a WebSocket address already is
 * used as it is; otherwise any http(s) prefix gives way to wss://.
 */
export function roomAddress(wsUrl: string): string {
  if (/^wss?:\/\//.test(wsUrl)) return wsUrl;
  return `wss://${wsUrl.replace(/^https?:\/\//, '')}`;
}
