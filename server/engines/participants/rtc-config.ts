import {
  ContinualGatheringPolicy,
  IceServer,
  IceTransportType,
  type RtcConfiguration,
} from '@livekit/rtc-node';

/** Nobody answers there, and nothing leaves the machine: with an empty list the library asks those of the room server. */
const NO_STUN_SERVER = 'stun:127.0.0.1:9';

/** @param stunServers those that are asked under which address we are seen, in the place of those that the room server names */
export function rtcConfigOf(stunServers: readonly string[]): RtcConfiguration {
  const urls = stunServers.length > 0 ? [...stunServers] : [NO_STUN_SERVER];
  return {
    iceTransportType: IceTransportType.TRANSPORT_ALL,
    continualGatheringPolicy: ContinualGatheringPolicy.GATHER_CONTINUALLY,
    iceServers: [new IceServer({ urls, username: '', password: '' })],
  };
}
