/** A setting is invalid. The message is one line that names the setting. */
export class SettingsError extends Error {}
