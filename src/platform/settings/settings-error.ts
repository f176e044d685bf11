/** A setting that cannot be used; the message is the one line that names it. */
export class SettingsError extends Error {}
