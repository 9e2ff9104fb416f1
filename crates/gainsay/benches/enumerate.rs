//! Speed of enumeration: `gainsay bench enumerate`.

fn main() -> anyhow::Result<()> {
    gainsay::cli::bench::enumerate::run().map(|_| ())
}
