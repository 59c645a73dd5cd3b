/** Windows that ask: whether a dear move is meant, and what to answer to an offer to double. */
import { Button, Dialog } from "../ui";
import { useScene } from "./scene";
import { say } from "./says";
import { moveWords } from "./words_moves";

export function Asking() {
  const { play } = useScene();
  const question = play.question.value;
  if (!question) return <Offer />;
  const close = () => (play.question.value = null);
  return (
    <Dialog title={say(question.text, question.values)} narrow onClose={close}>
      <div class="answers">
        <Button kind="primary" onClick={() => play.send(question.move)}>
          {say("yes")}
        </Button>
        <Button onClick={close}>{say("no")}</Button>
      </div>
    </Dialog>
  );
}

/** The opponent's offer to double: its two answers, and what the stake would be. */
function Offer() {
  const { play, view, speaker } = useScene();
  const moves = play.moves.value;
  const answers =
    moves.length === 2 && moves.some(({ verb }) => verb === "accept") && moves.some(({ verb }) => verb === "resign");
  const stake = view.facts["stake"];
  if (!answers) return null;
  return (
    <Dialog title={say("double_asked")} narrow onClose={() => undefined}>
      {typeof stake === "number" && <p>{say("double_to", { now: stake, then: stake * 2 })}</p>}
      <div class="answers">
        {moves.map((move) => (
          <Button
            key={move.text}
            kind={move.verb === "accept" ? "primary" : "plain"}
            data-move={move.text}
            onClick={() => play.send(move.text)}
          >
            {moveWords(view.info.game, move, speaker)}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
