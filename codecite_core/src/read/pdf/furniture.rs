//! Running heads and feet.
