import { useDrilledProviders } from "../api/figures.js";
import { useChangePin, useProviderPins, type KnownPin } from "../api/drills/provider-pins.js";
import { useTeam } from "../api/team.js";
import { problemText } from "../api/transport/problem.js";
import { Age, Until } from "../design/base/age.js";
import { Foreign } from "../design/base/foreign.js";
import { formatName } from "../design/base/format.js";
import { useToasts } from "../design/feedback/toast.js";
import { Button } from "../design/forms/button.js";
import { scopeText } from "../explain/scope-text.js";
import { useHasRole } from "../session/session.js";
import { useMode } from "./mode.js";
import "./drill-notice.css";

/** ALRT-6: the roles that may begin and end a drill. */
const LEADERS = ["owner", "admin"] as const;

/**
 * DASH-18: shows on every page that a drill is active in the shown mode. The notice is at the window's lower edge, so
 * it moves nothing.
 */
export function DrillNotice() {
  const { mode } = useMode();
  const drilled = useDrilledProviders(mode).data ?? [];
  const mayEnd = useHasRole(LEADERS);
  const pins = useProviderPins(mayEnd && drilled.length > 0);
  const team = useTeam(mayEnd && drilled.length > 0);
  // The notice appears only when its sentence is complete, because a later part would move the words.
  if (drilled.length === 0 || (mayEnd && (pins.isPending || team.isPending))) return null;
  const known = drilled.flatMap((provider) =>
    (pins.data?.byProvider.get(provider) ?? [])
      .filter((pin) => pin.mode === undefined || pin.mode === mode)
      .map((pin) => ({ provider, ...pin })),
  );
  return (
    <section className="drill-notice" aria-label="Drills under way">
      {mayEnd && known.length > 0 ? (
        <ul>
          {known.map((pin) => (
            <li key={[pin.provider, pin.payment_method, pin.currency, pin.mode].join()}>
              <Drill pin={pin} />
            </li>
          ))}
        </ul>
      ) : (
        <p>
          A drill holds in {mode} mode: <Foreign text={drilled.join(", ")} />. What is shown of it is not
          measured. {mayEnd ? "The page Drills ends it." : "Owners and admins can end it."}
        </p>
      )}
    </section>
  );
}

function Drill({ pin }: { pin: KnownPin & { provider: string } }) {
  const { provider, payment_method, currency, mode, state, expires_at, by, since } = pin;
  const end = useChangePin();
  const toasts = useToasts();
  const team = useTeam();
  const member = team.data?.members.find(({ user_id }) => user_id === by);
  return (
    <>
      <span>
        Drill: <Foreign text={provider} /> is seen as {formatName(state).toLowerCase()}, {scopeText(pin)}
        {by === undefined ? null : (
          <>
            , by {member === undefined ? "a former member" : <Foreign text={member.name ?? member.email} />}
          </>
        )}
        {since === undefined ? null : (
          <>
            {" "}
            (<Age at={since} />)
          </>
        )}
        ; it ends {expires_at === undefined ? "when somebody ends it" : <Until at={expires_at} />}.
      </span>
      <Button
        size="small"
        isBusy={end.isPending}
        aria-label={`End the drill of ${provider}, ${scopeText(pin)}`}
        onClick={() =>
          end.mutate(
            { provider, payment_method, currency, state: null, ...(mode === undefined ? {} : { mode }) },
            {
              onSuccess: () => toasts.done(`The drill of ${provider} is over`),
              onError: (error) => toasts.failed(problemText(error)),
            },
          )
        }
      >
        End the drill
      </Button>
    </>
  );
}
