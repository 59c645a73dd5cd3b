import { useEffect, useRef } from "preact/hooks";
import { client } from "../state/here";
import { t } from "../texts";
import { announce, Button } from "../ui";

/** Says that the connection is broken, as long as it is: nobody has to reload. */
export function LinkBanner() {
  const link = client.link.value;
  const wasBroken = useRef(false);
  useEffect(() => {
    if (link === "broken") {
      wasBroken.current = true;
    } else if (link === "open" && wasBroken.current) {
      wasBroken.current = false;
      announce(t("link_back"));
    }
  }, [link]);
  return (
    <div class="link-banner" role="alert">
      {link === "broken" && (
        <p>
          <span class="pulse" aria-hidden="true" />
          {t("link_broken")}
        </p>
      )}
      {link === "replaced" && (
        <p>
          {t("link_replaced")}
          <Button compact onClick={() => location.reload()}>
            {t("link_take_back")}
          </Button>
        </p>
      )}
    </div>
  );
}
