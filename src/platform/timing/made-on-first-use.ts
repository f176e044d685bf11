/**
 * Makes a function that uses a value. The value is created at the first use, because most processes never need it. Uses
 * wait until it is created. If the creation fails, the next use tries again.
 */
export function madeOnFirstUse<Made>(
  make: () => Promise<Made>,
): (use: (made: Made) => void) => void | Promise<void> {
  let made: { it: Made } | null = null;
  let making: Promise<Made> | null = null;
  const wait = async (use: (made: Made) => void): Promise<void> => {
    try {
      made = { it: await (making ??= make()) };
    } catch (error) {
      making = null;
      throw error;
    }
    use(made.it);
  };
  return (use) => {
    if (made === null) return wait(use);
    use(made.it);
  };
}
