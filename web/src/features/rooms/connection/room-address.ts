/**
 * The address of the media connection (specification, section 7): a WebSocket address is used as it is; otherwise
 * wss:// replaces any http(s) prefix.
 */
export function roomAddress(wsUrl: string): string {
  if (/^wss?:\/\//.test(wsUrl)) return wsUrl;
  return `wss://${wsUrl.replace(/^https?:\/\//, '')}`;
}
