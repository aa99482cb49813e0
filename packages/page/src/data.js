// The data of the page: columns, unpacked when they are first asked for, and the texts that they name.

export const data = JSON.parse(document.getElementById("data").textContent);
export const texts = data.texts;

const decoded = new Map();
const ARRAYS = { text: Int32Array, number: Float32Array, group: Uint8Array };
export function column(number) {
  if (!decoded.has(number)) {
    const { type, bytes } = data.arrays[number];
    const packed = atob(bytes);
    const unpacked = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) unpacked[i] = packed.charCodeAt(i);
    decoded.set(number, new ARRAYS[type](unpacked.buffer));
  }
  return decoded.get(number);
}
export const textAt = (codes, row) => (codes[row] < 0 ? "" : texts[codes[row]]);

let low = null;
export const lowered = () => (low ??= texts.map((text) => text.toLowerCase()));

// Which texts hold a word; a search asks it for each of its words, in any order.
export const wordsOf = (search) => search.toLowerCase().split(/\s+/).filter(Boolean);
export const holding = (word) => Uint8Array.from(lowered(), (text) => text.includes(word));
