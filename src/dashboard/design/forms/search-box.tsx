import { useState } from "react";
import { Button } from "./button.js";
import "./search-box.css";

/** LOG-26, ADM-13: the shortest and the longest search. */
const CHARS_MIN = 3;
const CHARS_MAX = 128;

interface SearchBoxProps {
  /**
   * The list's current search text. Pass it as the component's `key` too. The box then resets when the page's URL
   * changes.
   */
  search: string;
  /** Tells what a person can search for. */
  placeholder: string;
  onSearch(search: string): void;
}

/** A text that is searched for once its form is sent. */
export function SearchBox({ search, placeholder, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  return (
    <form
      className="search-box"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text);
      }}
    >
      <input
        type="search"
        className="search-box-text"
        aria-label="Search"
        placeholder={placeholder}
        minLength={CHARS_MIN}
        maxLength={CHARS_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}
