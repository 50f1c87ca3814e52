"""Sounds of the speech set that no engine made: people, coughs, doors, music; their sources stand in ../README.md."""
import os
import subprocess
import tempfile

import numpy as np
import soundfile

RATE = 16000
ASTERISK = os.environ.get('ASTERISK_SOUNDS', '/usr/share/asterisk/sounds/en_US_f_Allison')
MUSIC = os.environ.get('ASTERISK_MUSIC', '/usr/share/asterisk/moh')
SPHINX = os.environ.get('SPHINX_DATA', '/usr/share/pocketsphinx/test/data')
SCRATCH = os.environ.get('SCRATCH_SOUNDS', '/usr/share/scratch/Media/Sounds')
JFK = os.environ.get('JFK', 'jfk.wav')

PROMPTS = {'licence': 'CC-BY-SA-3.0', 'source': 'Asterisk core sounds', 'voice': 'Allison Smith'}
AUSTEN = {'licence': 'public domain', 'source': 'LibriVox, in the test data of CMU Sphinx', 'voice': 'a LibriVox reader'}
CARDS = {'licence': 'BSD-2-Clause', 'source': 'CMU Sphinx test data', 'voice': 'a man'}
SCRATCH_MEDIA = {'licence': 'CC-BY-SA-3.0', 'source': 'Scratch 1.4 media, MIT', 'voice': None}
HOLD_MUSIC = {'licence': 'CC-BY-SA-3.0', 'source': 'Asterisk music on hold', 'voice': None}

SENTENCES = [
    ('dev', 'jfk', JFK, 'And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
     {'licence': 'public domain', 'source': 'inaugural address of John F. Kennedy, 1961', 'voice': 'John F. Kennedy'}),
    ('dev', 'austen-1', f'{SPHINX}/librivox/sense_and_sensibility_01_austen_64kb-0880.wav', 'He was not an ill-disposed young man.', AUSTEN),
    ('held-out', 'austen-2', f'{SPHINX}/librivox/sense_and_sensibility_01_austen_64kb-0870.wav',
     'And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.', AUSTEN),
    ('held-out', 'austen-3', f'{SPHINX}/librivox/sense_and_sensibility_01_austen_64kb-0890.wav',
     'Unless to be rather cold-hearted and rather selfish is to be ill-disposed.', AUSTEN),
    ('held-out', 'austen-4', f'{SPHINX}/librivox/sense_and_sensibility_01_austen_64kb-0930.wav', 'He might even have been made amiable himself.', AUSTEN),
    ('dev', 'cards-1', f'{SPHINX}/cards/001.wav', 'Ten of clubs.', CARDS),
    ('held-out', 'cards-2', f'{SPHINX}/cards/003.wav', 'Seven of clubs.', CARDS),
    *[('dev' if index % 3 == 0 else 'held-out', f'prompt-{name}', f'{ASTERISK}/{name}.g722', text, PROMPTS) for index, (name, text) in enumerate([
        ('check-number-dial-again', 'Please check the number and dial again.'),
        ('vm-nobodyavail', 'Nobody is available to take your call at the moment.'),
        ('number-not-answering', 'The number is not answering.'),
        ('please-try-call-later', 'Please try your call again later.'),
        ('vm-nonumber', "I'm afraid I don't know who sent this message."),
        ('sorry-youre-having-problems', "Sorry you're having problems."),
        ('queue-thankyou', 'Thank you for your patience.'),
        ('vm-mismatch', 'The passwords you entered and re-entered did not match. Please try again.'),
        ('vm-savefolder', 'Which folder should I save the message to?'),
        ('vm-passchanged', 'Your passwords have been changed.'),
        ('privacy-incorrect', "I'm sorry, that number is not valid."),
        ('cannot-complete-as-dialed', 'Your call cannot be completed as dialed.'),
    ])],
]

# A person who says a number in groups: recorded digits, put together.
SPELLED = [
    ('dev', 'vm-num-i-have', 'The number I have is', ['472', '918'], [700, 600]),
    ('held-out', 'telephone-number', 'Telephone number', ['551', '20', '946'], [700, 500, 800]),
]
NAMES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

# (split, id, file, from s, to s or None, how loud over the voices' level)
SOUNDS = [
    ('dev', 'cough-man', 'Human/Cough-male.wav', 0, None), ('held-out', 'cough-woman', 'Human/Cough-female.wav', 0, None),
    ('held-out', 'sneeze-man', 'Human/Sneeze-male.wav', 0, None), ('dev', 'sneeze-woman', 'Human/Sneeze-female.wav', 0, None),
    ('dev', 'door-close', 'Effects/DoorClose.mp3', 0, None), ('held-out', 'door-creak', 'Effects/DoorCreak.wav', 0, None),
    ('held-out', 'typing', 'Effects/Typing.mp3', 0, 5), ('dev', 'footsteps-1', 'Human/Footsteps-1.wav', 0, 4),
    ('held-out', 'footsteps-2', 'Human/Footsteps-2.mp3', 0, 4), ('dev', 'finger-snap', 'Human/FingerSnap.wav', 0, None),
    ('held-out', 'hand-clap', 'Percussion/HandClap.wav', 0, None), ('dev', 'dog-1', 'Animal/Dog1.wav', 0, None),
    ('held-out', 'dog-2', 'Animal/Dog2.wav', 0, None), ('held-out', 'slurp', 'Human/Slurp.mp3', 0, None),
    ('dev', 'water', 'Effects/WaterRunning.mp3', 0, 4), ('held-out', 'motorcycle', 'Effects/MotorcyclePassing.wav', 0, 4),
    ('dev', 'car', 'Effects/CarPassing.wav', 0, 4), ('held-out', 'baby', 'Human/BabyCry.mp3', 0, 4),
    ('dev', 'laugh-man', 'Human/Laugh-male1.wav', 0, None), ('held-out', 'laugh-woman', 'Human/Laugh-female.wav', 0, None),
    ('dev', 'rattle', 'Effects/Rattle.wav', 0, None), ('held-out', 'pop', 'Effects/Pop.wav', 0, None),
    ('held-out', 'bell', 'Effects/BellToll.wav', 0, 4), ('dev', 'sewing-machine', 'Effects/SewingMachine.mp3', 0, 4),
]
TUNES = [
    ('dev', 'music-1', 'macroform-the_simplicity', 20), ('dev', 'music-2', 'manolo_camp-morning_coffee', 30),
    ('held-out', 'music-3', 'reno_project-system', 25), ('held-out', 'music-4', 'macroform-cold_day', 40),
]
# Throats differ: the same two coughs, longer and deeper or shorter and higher.
COUGHS = [
    ('dev', 'cough-deep', 'Human/Cough-male.wav', 1.18), ('dev', 'cough-young', 'Human/Cough-male.wav', 0.78),
    ('held-out', 'cough-deep-2', 'Human/Cough-female.wav', 1.25), ('held-out', 'cough-young-2', 'Human/Cough-female.wav', 0.85),
]


def recordings(to_rate, trimmed, levelled, joined):
    def person(split, name, kind, text, about, samples, pauses=()):
        return {'id': name, 'split': split, 'kind': kind, 'text': text, **about, 'person': True, 'pauses': list(pauses)}, levelled(samples)

    for split, name, path, text, about in SENTENCES:
        samples = load(path, to_rate)
        # Behind his last word the crowd begins.
        samples = samples[:round(10.35 * RATE)] if name == 'jfk' else samples
        yield person(split, name, 'sentence', text, about, trimmed(samples))
    for number, (split, lead, words, groups, pauses) in enumerate(SPELLED, 1):
        pieces = [trimmed(load(f'{ASTERISK}/{lead}.g722', to_rate))]
        for group in groups:
            digits = [trimmed(load(f'{ASTERISK}/digits/{digit}.g722', to_rate)) for digit in group]
            pieces.append(joined(digits, [60] * (len(digits) - 1)))
        text = ' '.join([words, *(' '.join(NAMES[int(digit)] for digit in group) for group in groups)])
        at, spans = len(pieces[0]), []
        for pause, piece in zip(pauses, pieces[1:]):
            length = pause * RATE // 1000
            spans.append((at * 1000 // RATE, (at + length) * 1000 // RATE))
            at += length + len(piece)
        yield person(split, f'number-{number}', 'pause', text, PROMPTS, joined(pieces, pauses), spans)
    for split, name, file, start, end in SOUNDS:
        samples = load(f'{SCRATCH}/{file}', to_rate)[start * RATE:None if end is None else end * RATE]
        yield {'id': name, 'split': split, 'kind': 'noise', 'text': '', **SCRATCH_MEDIA, 'pauses': []}, levelled(trimmed(samples))
    for split, name, file, stretch in COUGHS:
        samples = trimmed(load(f'{SCRATCH}/{file}', to_rate))
        places = np.arange(0, len(samples) - 1, 1 / stretch)
        samples = np.interp(places, np.arange(len(samples)), samples).astype(np.float32)
        yield {'id': name, 'split': split, 'kind': 'noise', 'text': '', **SCRATCH_MEDIA, 'pauses': []}, levelled(samples)
    for split, name, file, start in TUNES:
        samples = load(f'{MUSIC}/{file}.g722', to_rate)[start * RATE:(start + 6) * RATE]
        yield {'id': name, 'split': split, 'kind': 'music', 'text': '', **HOLD_MUSIC, 'pauses': []}, levelled(samples)


def load(path, to_rate):
    with tempfile.TemporaryDirectory() as folder:
        wav = os.path.join(folder, 'sound.wav')
        subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', path, '-ac', '1', '-ar', str(RATE), wav], check=True)
        samples, rate = soundfile.read(wav, dtype='float32')
    return to_rate(samples, rate)


def hummed_backchannels(levelled):
    """"Mm-hmm" through closed lips and "uh-huh" through open ones: two syllables, the second higher or lower, a breath between."""
    about = {'licence': 'Apache-2.0', 'source': 'this repository', 'voice': 'a hum'}
    # Split, whether the lips are closed, pitch in Hz, how much higher the second syllable is.
    throats = [
        ('dev', True, 115, 1.25), ('dev', True, 205, 1.2), ('dev', False, 110, 1.2), ('dev', False, 195, 0.85),
        ('held-out', True, 100, 1.35), ('held-out', True, 135, 0.85), ('held-out', True, 190, 1.3), ('held-out', True, 230, 0.8),
        ('held-out', False, 125, 1.3), ('held-out', False, 95, 0.85), ('held-out', False, 215, 1.25),
    ]
    for number, (split, closed, pitch, rise) in enumerate(throats, 1):
        text = 'Mm-hmm.' if closed else 'Uh-huh.'
        clip = {'id': f'hum-{number}', 'split': split, 'kind': 'backchannel', 'text': text, **about, 'pauses': []}
        yield clip, levelled(hum(closed, pitch, rise, number), 10 ** (-28 / 20))


def hum(closed, pitch, rise, seed):
    random = np.random.default_rng(seed)
    sound = []
    # A murmur is strong below 300 Hz with weak nasal formants; the open vowel is the one of "hut" (Hertz, width, gain).
    formants = [(1000, 200, 0.06), (2200, 300, 0.03)] if closed else [(640, 120, 1.0), (1190, 150, 0.5), (2390, 250, 0.15)]
    for low, high, seconds in ((pitch, pitch * 0.95, 0.2), (pitch * rise, pitch * rise * 1.02, 0.26)):
        count = int(seconds * RATE)
        wobble = 1 + 0.006 * np.cumsum(random.standard_normal(count)) / np.sqrt(np.arange(1, count + 1))
        phase = np.cumsum(np.linspace(low, high, count) * wobble) / RATE
        voice = np.zeros(count)
        for harmonic in range(1, int(3800 / pitch)):
            hertz = harmonic * low
            gain = (1 if closed else 0.3) / (1 + (hertz / 300) ** 2)
            gain += sum(weight * np.exp(-((hertz - middle) / width) ** 2) for middle, width, weight in formants)
            voice += gain * np.sin(2 * np.pi * harmonic * phase)
        envelope = np.minimum(1, np.minimum(np.arange(count), np.arange(count)[::-1]) / (0.04 * RATE))
        breath = random.standard_normal(int(0.07 * RATE)) * (0.03 if closed else 0.1) * np.hanning(int(0.07 * RATE))
        sound += [voice * envelope, breath]
    return np.concatenate(sound[:-1]).astype(np.float32)
