import {
  ContinualGatheringPolicy,
  IceServer,
  IceTransportType,
  type RtcConfiguration,
} from '@livekit/rtc-node';

/**
 * An address where nothing answers and nothing leaves the machine. With an empty list the library would ask
 * the room server's.
 */
const NO_STUN_SERVER = 'stun:127.0.0.1:9';

/** @param stunServers replace those that the room server names */
export function rtcConfigOf(stunServers: readonly string[]): RtcConfiguration {
  const urls = stunServers.length > 0 ? [...stunServers] : [NO_STUN_SERVER];
  return {
    iceTransportType: IceTransportType.TRANSPORT_ALL,
    continualGatheringPolicy: ContinualGatheringPolicy.GATHER_CONTINUALLY,
    iceServers: [new IceServer({ urls, username: '', password: '' })],
  };
}
