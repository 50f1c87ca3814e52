"""Makes tests/speech/clips and tests/speech/manifest.json: see ../README.md for what it needs and what the kinds are.

Runs offline, once; the clips are kept in the repository, so that nobody needs any of this to run the tests.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from math import gcd

import numpy as np
import soundfile
from scipy.signal import resample_poly

from kokoro import RATE as KOKORO_RATE
from kokoro import Kokoro
from recordings import hummed_backchannels, recordings

RATE = 16000
HERE = os.path.dirname(os.path.abspath(__file__))
CLIPS = os.path.join(HERE, '..', 'clips')
# Until all are there, the old ones stay.
MAKING = f'{CLIPS}.new'
LEVEL = 10 ** (-24 / 20)
FRAME = RATE // 100

# One voice is never in both splits. The letter before the first underscore is the accent the voice was made for.
VOICES = {
    'dev': [
        'af_heart', 'am_michael', 'bf_emma', 'af_kore', 'am_puck', 'bm_george', 'af_sarah', 'if_sara', 'flite slt', 'am_echo',
    ],
    'held-out': [
        'af_bella', 'am_fenrir', 'bf_isabella', 'bm_fable', 'af_aoede', 'am_onyx', 'af_nova', 'bm_lewis', 'hf_alpha',
        'am_eric', 'bf_lily', 'em_alex', 'af_jessica', 'flite rms', 'ff_siwis', 'bm_daniel',
    ],
}
# Old engines sound like machines: a few sentences only.
ALSO = {'dev': {5: 'espeak-ng en-us', 17: 'festival ked_diphone'}, 'held-out': {6: 'flite awb', 19: 'espeak-ng en-gb', 31: 'festival slt_hts'}}
LICENCES = {
    'kokoro': 'Apache-2.0 (Kokoro-82M)', 'flite': 'BSD-style (flite)', 'espeak-ng': 'GPL-3.0 engine, output free',
    'festival': 'BSD-style (festival)',
}
kokoro = Kokoro()


def speak(text, voice, speed):
    engine, _, name = voice.partition(' ')
    if not name:
        return to_rate(kokoro.speak(text, voice, speed), KOKORO_RATE)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'spoken.wav')
        if engine == 'flite':
            command = ['flite', '-voice', name, '-t', text, '-o', path]
        elif engine == 'espeak-ng':
            command = ['espeak-ng', '-v', name, '-s', '150', '-w', path, text]
        else:
            call = {'ked_diphone': '(voice_ked_diphone)', 'slt_hts': '(voice_cmu_us_slt_arctic_hts)'}[name]
            command = ['text2wave', '-eval', call, '-o', path]
        subprocess.run(command, input=text, text=True, check=True, capture_output=True)
        samples, rate = soundfile.read(path, dtype='float32')
    return to_rate(samples, rate)


def to_rate(samples, rate):
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    if rate == RATE:
        return samples.astype(np.float32)
    divisor = gcd(rate, RATE)
    return resample_poly(samples, RATE // divisor, rate // divisor).astype(np.float32)


def loudness(samples):
    whole = len(samples) // FRAME * FRAME
    return np.sqrt((samples[:whole].reshape(-1, FRAME) ** 2).mean(axis=1) + 1e-12)


def audible(frames, below_db=38):
    """From where a frame of 10 ms sounds: `below_db` under the loudest, or 8 dB over the hiss of an old recording."""
    hiss = min(np.percentile(frames, 10) * 10 ** (8 / 20), frames.max() * 10 ** (-26 / 20))
    return max(frames.max() * 10 ** (-below_db / 20), hiss)


def sounding(samples, below_db=38):
    """First and last sample that sounds."""
    frames = loudness(samples)
    loud = np.flatnonzero(frames > audible(frames, below_db))
    return int(loud[0]) * FRAME, int(loud[-1] + 1) * FRAME


def trimmed(samples):
    start, end = sounding(samples, 42)
    piece = samples[max(0, start - FRAME):end + FRAME].copy()
    fade = np.linspace(0, 1, FRAME // 2, dtype=np.float32)
    piece[:len(fade)] *= fade
    piece[-len(fade):] *= fade[::-1]
    return piece


def levelled(samples, level=LEVEL):
    frames = loudness(samples)
    active = frames[frames > frames.max() * 0.1]
    gain = level / np.sqrt((active ** 2).mean())
    return samples * min(gain, 0.95 / np.abs(samples).max())


def marked(text):
    """'a, |700| b' to its pieces and the pauses between them in ms."""
    parts = re.split(r'\|(\d+)\|', text)
    return [part.strip() for part in parts[::2]], [int(pause) for pause in parts[1::2]]


def joined(pieces, pauses):
    whole = [pieces[0]]
    for pause, piece in zip(pauses, pieces[1:]):
        whole += [np.zeros(pause * RATE // 1000, dtype=np.float32), piece]
    return np.concatenate(whole)


def write(clip, samples, bitrate_quality='4'):
    """Stores a clip as MP3 and measures on what a decoder gives back."""
    path = os.path.join(MAKING, f"{clip['id']}.mp3")
    with tempfile.TemporaryDirectory() as folder:
        wav = os.path.join(folder, 'clip.wav')
        soundfile.write(wav, np.clip(samples, -1, 1), RATE, subtype='PCM_16')
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-y', '-i', wav, '-c:a', 'libmp3lame', '-q:a', bitrate_quality, '-map_metadata', '-1', path],
            check=True,
        )
        subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', path, wav], check=True)
        back, rate = soundfile.read(wav, dtype='float32')
    assert rate == RATE, rate
    ms = lambda at: round(at * 1000 / RATE)
    start, _ = sounding(back)
    # Some voices trail off in noise 27 to 40 dB below their speech: an end too early makes a wait too long, never too short.
    _, end = sounding(back, 26)
    gaps = []
    frames = loudness(back)
    quiet = frames <= audible(frames)
    if clip.get('person') and not clip['pauses']:
        gaps = [{'fromMs': ms(a * FRAME), 'toMs': ms(b * FRAME)} for a, b in runs(quiet) if b - a >= 30 and a > 0 and b < len(quiet)]
    else:
        for wanted_from, wanted_to in clip['pauses']:
            at = (wanted_from + wanted_to) * RATE // 2000 // FRAME
            first = last = at
            while first > 0 and quiet[first - 1]:
                first -= 1
            while last + 1 < len(quiet) and quiet[last + 1]:
                last += 1
            gaps.append({'fromMs': ms(first * FRAME), 'toMs': ms((last + 1) * FRAME)})
    return {**clip, 'durationMs': ms(len(back)), 'startMs': ms(start), 'endMs': ms(end), 'pauses': gaps}


def runs(quiet):
    """From where to where frames are quiet, end excluded."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def spoken_clip(split, kind, number, text, voice, speed):
    parts, pauses = marked(text)
    pieces = [trimmed(speak(part if part[-1] in '.,!?' else f'{part},', voice, speed)) for part in parts]
    # Every voice at one level, its parts as they came.
    level = LEVEL * (0.6 if kind == 'backchannel' else 1)
    samples = levelled(joined(pieces, pauses), level)
    at, spans = len(pieces[0]), []
    for pause, piece in zip(pauses, pieces[1:]):
        length = pause * RATE // 1000
        spans.append((at * 1000 // RATE, (at + length) * 1000 // RATE))
        at += length + len(piece)
    engine = voice.split(' ')[0] if ' ' in voice else 'kokoro'
    return write({
        'id': f"{'d' if split == 'dev' else 'h'}-{kind}-{number:02d}", 'split': split, 'kind': kind,
        'text': ' '.join(parts), 'voice': voice if ' ' in voice else f'kokoro {voice}', 'source': engine,
        'licence': LICENCES[engine], 'pauses': spans,
    }, samples)


def main():
    shutil.rmtree(MAKING, ignore_errors=True)
    os.makedirs(MAKING)
    with open(os.path.join(HERE, 'texts.json'), encoding='utf-8') as file:
        texts = json.load(file)
    clips = []
    for split, kinds in texts.items():
        for kind, lines in kinds.items():
            voices = VOICES[split]
            if kind in ('backchannel', 'interruption'):
                voices = [voice for voice in voices if ' ' not in voice]
            for index, text in enumerate(lines):
                voice = voices[index % len(voices)]
                if kind == 'sentence':
                    voice = ALSO[split].get(index, voice)
                speed = (0.95, 1.0, 1.1, 1.05, 0.9)[index % 5]
                clips.append(spoken_clip(split, kind, index + 1, text, voice, speed))
            print(split, kind, len(lines), file=sys.stderr)
    for clip, samples in [*recordings(to_rate, trimmed, levelled, joined), *hummed_backchannels(levelled)]:
        clips.append(write(clip, samples))
    shutil.rmtree(CLIPS, ignore_errors=True)
    os.rename(MAKING, CLIPS)
    with open(os.path.join(HERE, '..', 'manifest.json'), 'w', encoding='utf-8') as file:
        rows = ',\n'.join('    ' + json.dumps(clip, ensure_ascii=False) for clip in clips)
        file.write(f'{{\n  "clips": [\n{rows}\n  ]\n}}\n')


main()
