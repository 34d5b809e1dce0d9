/// Placeholder until the first reader stands.
enum Placeholder {}
