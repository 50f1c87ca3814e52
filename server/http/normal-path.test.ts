import { expect, it } from 'vitest';
import { normalPath } from './normal-path.ts';

it.each([
  ['/', '/'],
  ['/api/agents', '/api/agents'],
  ['/api/agents/', '/api/agents/'],
  ['/api/agents?q=%61&x=//../', '/api/agents'],
  ['/socket.io/?EIO=4&transport=polling', '/socket.io/'],
  ['/rtc/v1?access_token=x', '/rtc/v1'],
  ['/twirp/livekit.RoomService/ListRooms', '/twirp/livekit.RoomService/ListRooms'],
  ['/assets/app-3f9c.js', '/assets/app-3f9c.js'],
  ['/.well-known/security.txt', '/.well-known/security.txt'],
  ["/live-call/it's (my) room!*", null],
  ["/live-call/it's%20(my)%20room!*", "/live-call/it's%20(my)%20room!*"],
  ['/live-call/caf%C3%A9%20%F0%9F%92%A3', '/live-call/caf%C3%A9%20%F0%9F%92%A3'],
  ['/api/livekit/rooms/a%2Fb%5cc%25%3F', '/api/livekit/rooms/a%2Fb%5cc%25%3F'],
  ['/live-call/a|b[1]^', '/live-call/a|b[1]^'],
  ['/live-call/...', '/live-call/...'],
])('takes %s as %s', (address, path) => {
  expect(normalPath(address)).toBe(path);
});

it.each([
  ['encoded letters', '/%61pi/auth/me'],
  ['an encoded digit', '/v%31/models'],
  ['an encoded hyphen', '/api/auth%2Dx'],
  ['an encoded dot', '/api/%2e%2e/x'],
  ['an encoded underscore', '/api/a%5Fb'],
  ['an encoded tilde', '/api/a%7eb'],
  ['an absolute address', 'http://x/api/auth/me'],
  ['an authority', 'x:443'],
  ['the whole server', '*'],
  ['nothing', ''],
  ['nothing but a query', '?x'],
  ['two slashes', '//api/auth/me'],
  ['an empty part', '/api//auth/me'],
  ['a dot', '/./api/auth/me'],
  ['two dots', '/x/../api/auth/me'],
  ['two dots at the end', '/api/..'],
  ['an encoded slash that would be a door', '/api%2Fauth/me'],
  ['an encoded backslash that would be a door', '/api%5cauth'],
  ['a backslash', '/api\\auth'],
  ['a fragment', '/api#/auth'],
  ['a tab', '/api\t/auth'],
  ['bytes beyond ASCII', '/live-call/caf\u00c3\u00a9'],
  ['a percent sign alone', '/api/%'],
  ['a percent sign before no digits', '/api/%zz'],
  ['bytes that are no UTF-8', '/api/%ff'],
  ['half a surrogate pair', '/api/%ED%A0%80'],
])('takes %s as no normal form', (_what, address) => {
  expect(normalPath(address)).toBeNull();
});
