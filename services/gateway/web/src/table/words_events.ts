/** What has happened at a table, as a line: every kind of event of the games, Italian and English.
 *
 * An event of one kind tells more or less, by who looks and by game. So a kind has tellings from the fullest to the barest, and
 * the first is used of which all values are there. The third text of a telling names a value that must be there besides. */

export type Telling = readonly [italian: string, english: string, needed?: string];

export const EVENTS: Readonly<Record<string, readonly Telling[]>> = {
  hand_dealt: [
    ["nuova mano: la briscola è {briscola}", "new hand: {briscola} is trump"],
    ["nuova mano", "new hand"],
  ],
  cards_dealt: [["si danno altre carte", "more cards are dealt"]],
  card_dealt: [
    ["{seat} riceve {card}", "{seat} is dealt {card}"],
    ["{seat} riceve una carta", "{seat} is dealt a card"],
  ],
  deal_voided: [
    ["a monte, si ridà: {reason:reason}", "void deal, dealt again: {reason:reason}"],
    ["a monte: si ridà", "void deal: dealt again"],
  ],
  hand_ended: [["fine della mano", "end of the hand"]],
  hand_not_covered: [
    ["la mano seguente non è coperta: la partita finisce qui", "the next hand is not covered: the match ends here"],
  ],
  match_ended: [["fine della partita", "end of the match"]],
  seat_abandoned: [["{seat} abbandona", "{seat} abandons"]],
  seat_resigned: [["{seat} si arrende", "{seat} resigns"]],
  seat_out: [["{seat} è fuori, al posto {place}", "{seat} is out, in place {place}"]],
  stock_refilled: [["gli scarti tornano mazzo: {stock} carte", "the discards become the stock: {stock} cards"]],
  stock_shuffled: [["si rimescola: {stock} carte nel mazzo", "the stock is shuffled again: {stock} cards"]],
  discards_shuffled: [
    ["gli scarti si rimescolano: {stock} carte nel mazzo", "the discards are shuffled: {stock} cards in the stock"],
  ],
  card_played: [
    ["{seat} gioca {card} e dice UNO!", "{seat} plays {card} and says UNO!", "uno"],
    ["{seat} gioca {card}: {colour:colour}", "{seat} plays {card}: {colour:colour}"],
    ["{seat} gioca {card}", "{seat} plays {card}"],
  ],
  cards_captured: [["{seat} prende {cards}", "{seat} captures {cards}"]],
  scopa_made: [["SCOPA di {seat}!", "SCOPA by {seat}!"]],
  table_taken: [
    ["le ultime carte, {cards}, vanno a chi ha preso per ultimo", "the last cards, {cards}, go with the last capture"],
  ],
  accuso_declared: [
    ["{seat} accusa {accuso} ({cards}): {points} punti", "{seat} declares {accuso} ({cards}): {points} points"],
    ["{seat} accusa {cards}", "{seat} declares {cards}"],
  ],
  trick_taken: [["{seat} prende {cards}", "{seat} takes the trick {cards}"]],
  cards_drawn: [
    ["{seat} pesca {cards} {reason:reason}", "{seat} draws {cards} {reason:reason}"],
    ["{seat} pesca {count} carte {reason:reason}", "{seat} draws {count} cards {reason:reason}"],
    ["si pesca: {cards:by_seat}", "drawn: {cards:by_seat}"],
    ["tutti pescano", "everybody draws"],
  ],
  cards_given: [["{seat} dà {cards:cards}", "{seat} gives {cards:cards}"]],
  gifts_received: [
    ["ricevi {cards:faces}", "you receive {cards:faces}"],
    ["ognuno riceve tre carte", "everybody gets three cards"],
  ],
  sides_revealed: [["ora si sa chi gioca con chi: {revealed:team}", "now the sides are known: {revealed:team}"]],
  call_made: [["{seat} {call:call}", "{seat} {call:call}"]],
  calls_ended: [["si gioca: {contract:contract}", "the game is: {contract:contract}"]],
  seat_joined: [
    ["{seat} gioca: via {thrown}, arrivano {drawn}", "{seat} joins: {thrown} out, {drawn} in"],
    ["{seat} gioca e cambia {exchanged} carte", "{seat} joins and exchanges {exchanged} cards"],
    ["{seat} gioca", "{seat} joins"],
  ],
  seat_passed: [["{seat} passa", "{seat} passes"]],
  seat_went_blind: [
    ["{seat} va al buio: {drawn}", "{seat} goes blind: {drawn}"],
    ["{seat} va al buio", "{seat} goes blind"],
  ],
  antes_paid: [["gli inviti sono pagati: {pot} nel piatto", "the antes are paid: {pot} in the pot"]],
  bet_made: [["{seat} punta {chips}", "{seat} bets {chips}"]],
  bet_called: [["{seat} vede ({chips})", "{seat} calls ({chips})"]],
  bet_raised: [["{seat} rilancia a {chips}", "{seat} raises to {chips}"]],
  blind_bet: [["{seat} apre al buio con {chips}", "{seat} opens blind for {chips}"]],
  blind_declined: [["{seat} non va al buio", "{seat} declines the blind"]],
  seat_checked: [["{seat} passa la parola", "{seat} checks"]],
  parola_said: [["{seat} dice parola", "{seat} says parola"]],
  seat_folded: [["{seat} lascia", "{seat} folds"]],
  cards_changed: [
    ["{seat} cambia {thrown} con {drawn}", "{seat} changes {thrown} for {drawn}"],
    ["{seat} cambia {count} carte", "{seat} changes {count} cards"],
    ["{seat} è servito", "{seat} stands pat"],
  ],
  hands_shown: [["si scoprono: {hands:by_seat}", "shown: {hands:by_seat}"]],
  card_drawn: [
    ["{seat} pesca {cards}", "{seat} draws {cards}"],
    ["{seat} pesca {card}", "{seat} draws {card}"],
    ["{seat} pesca dal mazzo", "{seat} draws from the stock"],
  ],
  card_shown: [["{seat} scopre {card}", "{seat} shows {card}"]],
  seat_stood: [["{seat} sta", "{seat} stands"]],
  seat_went_over: [["{seat} sballa con {total}", "{seat} goes over with {total}"]],
  duel_settled: [
    [
      "{punter:seat} {punter_total}, banco {banker_total}: {paid:signed}",
      "{punter:seat} {punter_total}, bank {banker_total}: {paid:signed}",
    ],
    ["{punter:seat} {punter_total}: {paid:signed}", "{punter:seat} {punter_total}: {paid:signed}"],
  ],
  card_discarded: [["{seat} scarta {card}", "{seat} discards {card}"]],
  cards_taken: [["{seat} prende dal pozzo {cards}", "{seat} takes {cards} from the discards"]],
  pile_taken: [["{seat} raccoglie il pozzo: {cards}", "{seat} takes the pile: {cards}"]],
  meld_laid: [["{seat} cala {cards}", "{seat} melds {cards}"]],
  card_added: [["{seat} attacca {card}: ora è {cards}", "{seat} adds {card}: it is now {cards}"]],
  cards_added: [
    ["{seat} lega {laid}: ora è {cards}", "{seat} adds {laid}: it is now {cards}"],
    ["{seat} lega: ora è {cards}", "{seat} adds: it is now {cards}"],
  ],
  joker_won: [
    ["{seat} prende il jolly con {card}: ora è {cards}", "{seat} wins the joker with {card}: it is now {cards}"],
  ],
  step_undone: [
    ["{seat} riprende {verb:step}: {cards}", "{seat} takes back {verb:step}: {cards}"],
    ["{seat} riprende {laid}", "{seat} takes back {laid}"],
    ["{seat} torna indietro di un passo", "{seat} takes a step back"],
  ],
  pozzetto_taken: [
    ["{seat} prende il pozzetto al volo", "{seat} takes the pozzetto al volo", "al_volo"],
    ["{seat} prende il pozzetto", "{seat} takes the pozzetto"],
  ],
  red_three_laid: [["{seat} cala il tre rosso {card}", "{seat} lays the red three {card}"]],
  hand_closed: [
    ["{seat} chiude in mano!", "{seat} closes in hand!", "in_hand"],
    ["{seat} chiude", "{seat} closes"],
  ],
  double_offered: [["{seat} offre di raddoppiare: {stake}", "{seat} offers to double: {stake}"]],
  double_accepted: [["{seat} accetta: la posta è {stake}", "{seat} accepts: the stake is {stake}"]],
  choice_made: [
    ["{seat} {choice:choice}", "{seat} {choice:choice}"],
    ["{seat} ha scelto", "{seat} has chosen"],
  ],
  choices_shown: [
    ["rientra: {reentered:seats}", "back in: {reentered:seats}"],
    ["nessuno rientra", "nobody comes back"],
  ],
  colour_named: [["{seat} sceglie il {colour:colour}", "{seat} names {colour:colour}"]],
  direction_reversed: [["il giro si inverte", "the direction is reversed"]],
  seat_skipped: [["{seat} salta il turno", "{seat} is skipped"]],
  turn_passed: [["{seat} passa", "{seat} passes"]],
  wild4_accepted: [["{seat} non dubita del +4", "{seat} accepts the +4"]],
  wild4_challenged: [
    ["{seat} sfida il +4: era un bluff", "{seat} challenges the +4: it was a bluff", "is_bluff"],
    ["{seat} sfida il +4, che era buono", "{seat} challenges the +4, and it was no bluff"],
  ],
  board_changed: [
    ["{seat}: {move} – scoperta {turned}", "{seat}: {move} – turned up {turned}"],
    ["{seat}: {move}", "{seat}: {move}"],
    ["{seat}: {points} punti in {moves} mosse", "{seat}: {points} points in {moves} moves"],
    ["{seat} muove", "{seat} moves"],
  ],
  seat_finished: [["{seat} ha finito: {status:board}", "{seat} has finished: {status:board}"]],
};
