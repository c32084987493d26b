//! Mutations of files, the same ones for the same seed.

/// Makes files out of good ones.
pub struct Mutator<'s> {
    state: u64,
    seeds: &'s [Vec<u8>],
    words: &'s [&'s [u8]],
}

impl<'s> Mutator<'s> {
    /// `words` are pieces of the format's own language, put in at random places.
    pub fn new(seed: u64, seeds: &'s [Vec<u8>], words: &'s [&'s [u8]]) -> Self {
        Mutator { state: seed | 1, seeds, words }
    }

    /// A good file with one to eight faults.
    pub fn next_file(&mut self) -> Vec<u8> {
        let mut file = self.one_of(self.seeds).clone();
        for _ in 0..=self.below(8) {
            self.damage(&mut file);
        }
        file
    }

    fn damage(&mut self, file: &mut Vec<u8>) {
        let at = self.below(file.len() + 1);
        let stretch = at..(at + self.below(64)).min(file.len());
        match self.below(10) {
            0 if at < file.len() => file[at] ^= 1 << self.below(8),
            1 if at < file.len() => file[at] = self.below(256) as u8,
            2 => drop(file.drain(stretch)),
            3 => {
                let copy = file[stretch].to_vec();
                self.insert(file, at, &copy);
            }
            4 => {
                let copy = file[stretch].repeat(1 << self.below(8));
                self.insert(file, at, &copy);
            }
            5 => file.truncate(at),
            6 => {
                let other = self.one_of(self.seeds);
                let from = self.below(other.len());
                let to = (from + self.below(512)).min(other.len());
                self.insert(file, at, &other[from..to]);
            }
            7 => self.change_number(file, at),
            _ => {
                let word = *self.one_of(self.words);
                let word = word.repeat(if self.below(16) == 0 { 1 + self.below(4000) } else { 1 });
                self.insert(file, at, &word);
            }
        }
    }

    fn insert(&mut self, file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
        // A file stays small, so that many can be tried.
        if file.len() + bytes.len() < 1 << 18 {
            file.splice(at..at, bytes.iter().copied());
        }
    }

    /// Makes the next number after `at` another one.
    fn change_number(&mut self, file: &mut Vec<u8>, at: usize) {
        let Some(start) = file[at..].iter().position(u8::is_ascii_digit).map(|found| at + found) else {
            return;
        };
        let digits = file[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        const NUMBERS: [&[u8]; 8] =
            [b"0", b"-1", b"1", b"65535", b"65536", b"2147483647", b"4294967296", b"99999999999999999999"];
        file.splice(start..start + digits, self.one_of(&NUMBERS).iter().copied());
    }

    fn one_of<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        &these[self.below(these.len())]
    }

    /// A number below `end`; 0 when `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % end.max(1)
    }
}
