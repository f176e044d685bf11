/**
 * What most processes never need is made when it is first used. Uses wait while it is made; later ones run at once. After
 * a failure the next use makes it again.
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
