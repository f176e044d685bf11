import { useState } from "react";
import { Icon } from "../base/icon.js";
import "./chips.css";
import "./field.css";
import "./token-field.css";

interface TokenFieldProps {
  label: string;
  tokens: readonly string[];
  placeholder: string;
  isUpperCase?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  onChange(tokens: string[]): void;
}

/** A list of free words. Enter, a comma or leaving the field adds the typed word. Backspace removes the last one. */
export function TokenField(props: TokenFieldProps) {
  const { label, tokens, placeholder, isUpperCase = false, isDisabled = false, isInvalid = false } = props;
  const { onChange } = props;
  const [typed, setTyped] = useState("");
  const add = (text: string): void => {
    const words = text.split(/[\s,]+/).filter((word) => word !== "");
    const cased = isUpperCase ? words.map((word) => word.toUpperCase()) : words;
    setTyped("");
    if (cased.length > 0) onChange([...new Set([...tokens, ...cased])]);
  };
  return (
    <div className={isInvalid ? "tokens tokens-invalid" : "tokens"}>
      {tokens.map((token) => (
        <button
          key={token}
          type="button"
          className="chip token"
          aria-label={`Remove ${token}`}
          disabled={isDisabled}
          onClick={() => onChange(tokens.filter((kept) => kept !== token))}
        >
          {token}
          <Icon name="close" />
        </button>
      ))}
      <input
        className="token-input"
        aria-label={label}
        placeholder={tokens.length === 0 ? placeholder : ""}
        value={typed}
        disabled={isDisabled}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const { value } = event.target;
          if (/[\s,]$/.test(value)) add(value);
          else setTyped(value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add(typed);
          } else if (event.key === "Backspace" && typed === "" && tokens.length > 0) {
            onChange(tokens.slice(0, -1));
          }
        }}
        onBlur={() => add(typed)}
      />
    </div>
  );
}
