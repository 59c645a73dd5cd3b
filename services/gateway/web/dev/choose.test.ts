/** The chooser, on moves as the engine lists them. Run by `node dev/test.mjs`. */
import assert from "node:assert/strict";
import test from "node:test";
import {
  cardless,
  doubleClick,
  landing,
  layableMoves,
  longer,
  meaning,
  NOTHING,
  without,
  type Offered,
} from "../src/table/choose";

function move(text: string, cards: string[] = [], takes: string[] = [], target = ""): Offered {
  return { text, verb: text.split(" ")[0] ?? "", cards, takes, target };
}

const SCOPA = [
  move("play 7d take 3c 4s", ["7d"], ["3c", "4s"], "table"),
  move("play 7d take 2b 5d", ["7d"], ["2b", "5d"], "table"),
  move("play 2c take 2b", ["2c"], ["2b"], "table"),
  move("play Kd", ["Kd"], [], "table"),
];

test("a capture is made with its last card", () => {
  const first = meaning(SCOPA, { cards: ["7d"], takes: ["3c"] });
  assert.deepEqual([first.possible.length, first.decided, [...first.takes]], [1, undefined, ["4s"]]);
  assert.equal(meaning(SCOPA, { cards: ["7d"], takes: ["4s", "3c"] }).decided?.text, "play 7d take 3c 4s");
});

test("a card that takes nothing waits for a second word", () => {
  const king = meaning(SCOPA, { cards: ["Kd"], takes: [] });
  assert.deepEqual([king.complete.length, king.decided, [...king.targets]], [1, undefined, ["table"]]);
});

test("with nothing chosen the cards that may be played are lit, and no zone is", () => {
  const start = meaning(SCOPA, NOTHING);
  assert.deepEqual([[...start.cards], start.takes.size, start.targets.size], [["7d", "2c", "Kd"], 0, 0]);
});

test("a drag shows the one capture, or the one under the pointer", () => {
  assert.equal(landing(SCOPA, ["2c"], "table", undefined).move?.text, "play 2c take 2b");
  assert.deepEqual(landing(SCOPA, ["7d"], "table", undefined), {
    targets: new Set(["table"]),
    move: undefined,
    ambiguous: true,
  });
  assert.equal(landing(SCOPA, ["7d"], "table", "5d").move?.text, "play 7d take 2b 5d");
  assert.equal(landing(SCOPA, ["Kd"], undefined, undefined).move, undefined);
});

test("a double click plays only what takes nothing, where nothing can be taken", () => {
  assert.equal(doubleClick(SCOPA, "7d"), "takes");
  assert.deepEqual(doubleClick(SCOPA, "Kd"), SCOPA[3]);
  assert.equal(doubleClick(SCOPA, "Ad"), undefined);
});

test("cards of one face are counted", () => {
  assert.deepEqual(without(["Kh", "Kh", "X"], ["Kh"]), ["Kh", "X"]);
  assert.equal(without(["Kh"], ["Kh", "Kh"]), null);
});

const RUMMY = [
  move("meld 4h 5h 6h", ["4h", "5h", "6h"]),
  move("add 7h m0 high", ["7h"], [], "melds.0"),
  move("add 8h m0 high", ["8h"], [], "melds.0"),
  move("discard 4h", ["4h"], [], "discard"),
];

test("longer melds and additions than the listed ones", () => {
  assert.equal(longer(RUMMY, { cards: ["4h", "5h", "6h", "7h"], takes: [] }), "meld 4h 5h 6h 7h");
  assert.equal(longer(RUMMY, { cards: ["4h", "5h", "6h"], takes: [] }), undefined);
  assert.equal(longer(RUMMY, { cards: ["7h", "8h"], takes: [], target: "melds.0" }), "add 7h 8h m0");
  assert.equal(longer(RUMMY, { cards: ["7h", "8h"], takes: [], target: "melds.1" }), undefined);
  assert.equal(longer(SCOPA, { cards: ["7d", "2c", "Kd", "3d"], takes: [] }), undefined);
});

test("melds of the facts are moves; a joker that stands for a card is a joker of the hand", () => {
  assert.deepEqual(layableMoves([{ move: "meld 2d 2c X=2h", value: 6 }])[0]?.cards, ["2d", "2c", "X"]);
  assert.deepEqual(layableMoves(undefined), []);
});

test("amounts are one choice, other moves without cards stand alone", () => {
  const raises = [30, 10, 20, 40].map((amount) => move(`raise ${amount}`));
  const { amounts, single } = cardless([move("fold"), move("call"), ...raises]);
  assert.deepEqual(
    amounts[0]?.amounts.map(({ amount }) => amount),
    [10, 20, 30, 40],
  );
  assert.deepEqual(
    single.map(({ text }) => text),
    ["fold", "call"],
  );
});
