/** Keys of the cards of a zone: two cards with one face are told apart by which of them they are. */
import type { Zone } from "#protos/tavolo/table/v1/view_pb";

export interface Lying {
  /** `zone/face/copy`. */
  key: string;
  face: string;
  zone: string;
}

export function lying(zone: Zone, faces: readonly string[] = zone.cards): Lying[] {
  const seen = new Map<string, number>();
  return faces.map((face) => {
    const copy = seen.get(face) ?? 0;
    seen.set(face, copy + 1);
    return { key: `${zone.id}/${face}/${copy}`, face, zone: zone.id };
  });
}

export function faceOf(key: string): string {
  return key.split("/")[1] ?? "";
}
