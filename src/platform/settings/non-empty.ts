import { makeValidator } from "envalid";

export const nonEmpty = makeValidator<string>((input) => {
  if (input === "" || input.includes("\0")) throw new TypeError("must not be empty");
  return input;
});
