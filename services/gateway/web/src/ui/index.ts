export { Button, type ButtonProps } from "./button";
export { Dialog, type DialogProps } from "./dialog";
export { Field, Segments, Tick, type FieldProps, type Tied } from "./field";
export { announce, LiveRegion } from "./live";
export { animations, moves, sounds, systemStill } from "./preferences";
export { useTitle } from "./title";
export { toast, Toasts } from "./toast";
