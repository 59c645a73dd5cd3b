import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../texts";
import { Button } from "./button";
import { Cross } from "./icons";

export interface DialogProps {
  title: string;
  onClose: () => void;
  narrow?: boolean;
  children: ComponentChildren;
}

/** A modal window while it is rendered. The browser holds the focus inside; whoever opened it gets it back. */
export function Dialog({ title, onClose, narrow = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    const opener = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      // A window that is taken out of the page does not give the focus back by itself.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={narrow ? "narrow" : ""}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose(); // beside the window
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <Button kind="quiet" compact aria-label={t("close")} title={t("close")} onClick={onClose}>
          <Cross />
        </Button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
