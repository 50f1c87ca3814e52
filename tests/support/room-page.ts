import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A page with only the published `livekit-client`, served where microphones are allowed. */
export interface RoomPages {
  url: string;
  close(): Promise<void>;
}

export async function serveRoomPages(): Promise<RoomPages> {
  const client = await readFile(
    createRequire(import.meta.url)
      .resolve('livekit-client')
      .replace(/[^/\\]+$/, 'livekit-client.umd.js'),
  );
  const server: Server = createServer((request, response) => {
    const isScript = request.url === '/livekit-client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? client
        : '<!doctype html><link rel="icon" href="data:,"><script src="/livekit-client.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Runs in the page; plain text because browser types are not available here: a room, a tone as microphone,
 * and the loudness of the others' tones.
 */
const kit = `
(() => {
  const { Room, RoomEvent, Track, createLocalTracks } = LivekitClient;
  LivekitClient.setLogLevel('error');
  const happened = [];
  const analysers = new Map();
  const listened = new Map();
  const data = [];
  let room;
  let context;
  let publication;
  let joinedAt = 0;
  let firstSoundAt = null;
  const sound = () => (context ??= new AudioContext({ sampleRate: 48000 }));

  function listen(track, identity) {
    const element = track.attach();
    document.body.append(element);
    if (track.kind !== 'audio') return;
    listened.set(identity, track);
    const analyser = sound().createAnalyser();
    analyser.fftSize = 8192;
    analyser.smoothingTimeConstant = 0;
    sound().createMediaStreamSource(new MediaStream([track.mediaStreamTrack])).connect(analyser);
    analysers.set(identity, analyser);
    const wave = new Float32Array(256);
    const watch = setInterval(() => {
      analyser.getFloatTimeDomainData(wave);
      if (!wave.some((sample) => Math.abs(sample) > 0.01)) return;
      firstSoundAt ??= performance.now();
      clearInterval(watch);
    }, 5);
  }

  globalThis.roomKit = {
    async join({ url, token, twoConnections }) {
      joinedAt = performance.now();
      room = new Room({ singlePeerConnection: !twoConnections, adaptiveStream: true, dynacast: true, stopLocalTrackOnUnpublish: true });
      const note = (event, who) => happened.push(who ? event + ':' + who : event);
      room
        .on(RoomEvent.ParticipantConnected, (who) => note('joined', who.identity))
        .on(RoomEvent.ParticipantDisconnected, (who) => note('left', who.identity))
        .on(RoomEvent.TrackSubscribed, (track, _publication, who) => { note('subscribed', who.identity); listen(track, who.identity); })
        .on(RoomEvent.TrackUnsubscribed, (track, _publication, who) => { note('unsubscribed', who.identity); track.detach(); })
        .on(RoomEvent.TrackMuted, (_publication, who) => note('muted', who.identity))
        .on(RoomEvent.TrackUnmuted, (_publication, who) => note('unmuted', who.identity))
        .on(RoomEvent.TrackUnpublished, (_publication, who) => note('unpublished', who.identity))
        .on(RoomEvent.ActiveSpeakersChanged, (speakers) => speakers.forEach((who) => note('speaks', who.identity)))
        .on(RoomEvent.ConnectionQualityChanged, (quality, who) => note('quality ' + quality, who.identity))
        .on(RoomEvent.SignalReconnecting, () => note('signal-reconnecting'))
        .on(RoomEvent.Reconnecting, () => note('reconnecting'))
        .on(RoomEvent.Reconnected, () => note('reconnected'))
        .on(RoomEvent.Disconnected, (reason) => note('disconnected', String(reason)))
        .on(RoomEvent.DataReceived, (bytes, who, _kind, topic) => data.push({ text: new TextDecoder().decode(bytes), from: who?.identity, topic }));
      room.registerTextStreamHandler('text', async (reader, who) => data.push({ text: await reader.readAll(), from: who.identity, topic: 'text' }));
      await room.connect(url, token, { autoSubscribe: true });
    },
    async hum(frequency) {
      const oscillator = new OscillatorNode(sound(), { frequency });
      const volume = new GainNode(sound(), { gain: 0.3 });
      const out = sound().createMediaStreamDestination();
      oscillator.connect(volume).connect(out);
      oscillator.start();
      publication = await room.localParticipant.publishTrack(out.stream.getAudioTracks()[0], {
        source: Track.Source.Microphone, dtx: false, red: false, audioPreset: { maxBitrate: 64000 },
      });
    },
    async film() { await room.localParticipant.setCameraEnabled(true); },
    async unhum() { await room.localParticipant.unpublishTrack(publication.track); },
    async mute() { await publication.mute(); },
    async unmute() { await publication.unmute(); },
    async say(text, options) { await room.localParticipant.publishData(new TextEncoder().encode(text), options); },
    async sendText(text) { await room.localParticipant.sendText(text, { topic: 'text' }); },
    allow(everybody, permissions) { room.localParticipant.setTrackSubscriptionPermissions(everybody, permissions); },
    subscribe(identity, wanted) {
      for (const one of room.remoteParticipants.get(identity).trackPublications.values()) one.setSubscribed(wanted);
    },
    simulate(scenario) { return room.simulateScenario(scenario); },
    leave: () => room.disconnect(),
    happened: () => [...happened],
    data: () => [...data],
    others: () => [...room.remoteParticipants.keys()].sort(),
    /**
     * Loudness of a tone in somebody's sound, in decibels. The room itself is asked for the sound as well: livekit-client 2.23
     * keeps back the events of up to 2 s after a full reconnect (its engine.pendingReconnect outlasts its Reconnected) until
     * it reconnects again.
     */
    hears(identity, frequency) {
      const publications = room.remoteParticipants.get(identity)?.trackPublications.values() ?? [];
      const track = [...publications].map((one) => one.track).find((one) => one?.kind === 'audio');
      if (track && listened.get(identity) !== track) listen(track, identity);
      const analyser = analysers.get(identity);
      if (!analyser) return -200;
      const bins = new Float32Array(analyser.frequencyBinCount);
      analyser.getFloatFrequencyData(bins);
      const at = Math.round((frequency * analyser.fftSize) / sound().sampleRate);
      return Math.max(-200, ...bins.subarray(at - 2, at + 3));
    },
    /** Pictures that were shown, and their size. */
    pictures() {
      const video = [...document.querySelectorAll('video')].at(-1);
      return video ? { frames: video.getVideoPlaybackQuality().totalVideoFrames, width: video.videoWidth } : { frames: 0, width: 0 };
    },
    /** From the click to the first sound of somebody else, in milliseconds; null until then. */
    firstSoundMs: () => (firstSoundAt === null ? null : firstSoundAt - joinedAt),
  };
})();
`;

/** A person in a room with a real browser. */
export class RoomPage {
  readonly context: BrowserContext;
  readonly #page: Page;
  /** Errors of the page and in its console. */
  readonly errors: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.#page = page;
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  static async open(browser: Browser, pages: RoomPages): Promise<RoomPage> {
    const context = await browser.newContext();
    const page = new RoomPage(context, await context.newPage());
    await page.#page.goto(pages.url);
    await page.#page.evaluate(kit);
    return page;
  }

  /** Calls a function of the kit in the page. */
  async do<T = void>(method: string, ...args: unknown[]): Promise<T> {
    return this.#page.evaluate(([name, given]) => Reflect.get(globalThis, 'roomKit')[name](...given), [
      method,
      args,
    ] as const);
  }

  happened(): Promise<string[]> {
    return this.do('happened');
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
