/** Words for values of facts and events: calls, colours, levels. A value that has no words is written as it is. */
import type { Pair } from "./words_names";

export const VALUES: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  addition: {
    gioco: ["gioco", "game"],
    assoluto: ["assoluto", "assoluto"],
    bagatto: ["bagatto", "bagatto"],
    tutte: ["tutte le prese", "tutte le prese"],
  },
  board: {
    playing: ["in gioco", "playing"],
    complete: ["riuscito", "complete"],
    stalled: ["senza più mosse", "no moves left"],
    stopped: ["fermo", "stopped"],
    abandoned: ["abbandonato", "abandoned"],
  },
  call: {
    bid: ["chiama", "bids"],
    announce: ["dichiara", "announces"],
    pass: ["passa", "passes"],
    done: ["ha finito di chiamare", "has ended the calls"],
    solo_seme: ["solo di seme", "solo di seme"],
    tutte: ["tutte le prese", "tutte le prese"],
    gioco: ["al gioco", "the game"],
  },
  choice: {
    reenter: ["rientra", "re-enters"],
    leave: ["lascia", "leaves"],
  },
  colour: {
    r: ["rosso", "red"],
    y: ["giallo", "yellow"],
    g: ["verde", "green"],
    b: ["blu", "blue"],
  },
  direction: {
    "1": ["→", "→"],
    "-1": ["←", "←"],
  },
  flag: {
    false: ["no", "no"],
    true: ["sì", "yes"],
  },
  game: {
    chiamante: ["chiamante", "chiamante"],
    solo_seme: ["solo di seme", "solo di seme"],
    solo: ["solo", "solo"],
  },
  joined: {
    "?": ["?", "?"],
    in: ["gioca", "in"],
    passed: ["passa", "passed"],
    blind: ["al buio", "blind"],
    out: ["fuori", "out"],
  },
  kontra: {
    "1": ["kontra", "kontra"],
    "2": ["rekontra", "rekontra"],
    "3": ["subkontra", "subkontra"],
  },
  reason: {
    plus_two: ["per il +2", "for the +2"],
    uno_not_said: ["senza aver detto UNO", "without saying UNO"],
    wild4: ["per il +4", "for the +4"],
    challenge_won: ["sfida vinta", "challenge won"],
    challenge_lost: ["sfida persa", "challenge lost"],
    draw: ["", ""],
    too_few_tarocks: ["troppo pochi tarocchi in una mano", "too few tarocks in a hand"],
    four_low_cards: ["quattro scartine in una mano", "four low cards in a hand"],
  },
  step: {
    meld: ["la combinazione", "the meld"],
    add: ["la carta attaccata", "the card added"],
    swap: ["il cambio del jolly", "the joker"],
    draw: ["la presa dal pozzo", "the pick-up"],
    take: ["la presa del pozzo", "the taking of the pile"],
  },
  team: {
    caller: ["chiamante", "caller"],
    opponents: ["avversario", "opponent"],
  },
};
