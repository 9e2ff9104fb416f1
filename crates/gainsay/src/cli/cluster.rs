//! `gainsay cluster`: job files that start workers on the machines of a cluster, to run as they are.

use clap::Subcommand;

use super::arguments::BadUsage;
use super::exit;
use crate::store::Place;

/// For what kind of cluster.
#[derive(Subcommand)]
pub enum What {
    /// A job script for `sbatch`: an array of workers
    Slurm(Args),
    /// A Job for `kubectl apply -f -`: as many pods as workers
    Kubernetes(Kubernetes),
}

/// Which campaign, and what its workers may use.
#[derive(clap::Args)]
pub struct Args {
    /// The address of the campaign, without a password: `postgres://user@host/database#name`
    #[arg(long)]
    store: Place,
    /// Workers: processes, each on its own cores
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    workers: u32,
    /// Cores for each worker, which are its jobs
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: u32,
    /// Megabytes for each core
    #[arg(long, default_value_t = 2560)]
    memory: u64,
    /// Hours after which workers end
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    hours: u32,
}

/// The same for Kubernetes.
#[derive(clap::Args)]
pub struct Kubernetes {
    #[command(flatten)]
    args: Args,
    /// The image that has gainsay, Python and pip in it
    #[arg(long, default_value = "gainsay:latest")]
    image: String,
    /// The Secret whose key `password` is the password of the database
    #[arg(long, default_value = "gainsay-store")]
    secret: String,
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    let (What::Slurm(args) | What::Kubernetes(Kubernetes { args, .. })) = what;
    let Place::Server(address) = &args.store else {
        return Err(BadUsage("machines share a server, not a folder: --store postgres://…".to_owned()).into());
    };
    if address.tells_password {
        let words =
            "leave the password out of the address: job files are read by many; the file says where it goes";
        return Err(BadUsage(words.to_owned()).into());
    }
    if address.is_local() {
        let words =
            format!("{address} is this machine alone: name the server as the nodes of the cluster reach it");
        return Err(BadUsage(words).into());
    }
    let store = args.store.to_string();
    match what {
        What::Slurm(args) => print!("{}", slurm(args, &store)),
        What::Kubernetes(kubernetes) => print!("{}", manifest(kubernetes, &store)),
    }
    Ok(exit::FINE)
}

/// A text between single quotes of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn slurm(args: &Args, store: &str) -> String {
    let Args { workers, jobs, memory, hours, .. } = args;
    let minutes = u64::from(*hours) * 60;
    // Told to stop before the end, a worker hands in what it has.
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=gainsay\n\
         #SBATCH --array=1-{workers}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={jobs}\n\
         #SBATCH --mem-per-cpu={memory}M\n\
         #SBATCH --time={hours}:00:00\n\
         #SBATCH --signal=B:TERM@120\n\
         #SBATCH --requeue\n\
         # The password is read from ~/.pgpass, mode 600: host:port:database:user:password\n\
         set -eu\n\
         exec gainsay work --store {} --jobs {jobs} --for {}m --findings-are-fine\n",
        quoted(store),
        minutes.saturating_sub(10).max(1)
    )
}

fn manifest(kubernetes: &Kubernetes, store: &str) -> String {
    let Kubernetes { args: Args { workers, jobs, memory, hours, .. }, image, secret } = kubernetes;
    let text = |text: &str| serde_json::to_string(text).expect("a text is plain");
    let (cores, time) = (jobs.to_string(), format!("{hours}h"));
    // It is the first process of its pod: a shell in between would keep the word to stop for itself.
    let command =
        ["gainsay", "work", "--store", store, "--jobs", &cores, "--for", &time, "--findings-are-fine"];
    format!(
        "apiVersion: batch/v1\n\
         kind: Job\n\
         metadata:\n  \
           name: gainsay\n\
         spec:\n  \
           parallelism: {workers}\n  \
           completions: {workers}\n  \
           completionMode: Indexed\n  \
           backoffLimit: {}\n  \
           activeDeadlineSeconds: {}\n  \
           template:\n    \
             spec:\n      \
               restartPolicy: OnFailure\n      \
               terminationGracePeriodSeconds: 120\n      \
               containers:\n      \
               - name: gainsay\n        \
                 image: {}\n        \
                 command: [{}]\n        \
                 env:\n        \
                 - name: PGPASSWORD\n          \
                   valueFrom:\n            \
                     secretKeyRef:\n              \
                       name: {}\n              \
                       key: password\n        \
                 - name: GAINSAY_HOME\n          \
                   value: /gainsay\n        \
                 resources:\n          \
                   requests: {{cpu: \"{jobs}\", memory: {total}Mi}}\n          \
                   limits: {{cpu: \"{jobs}\", memory: {total}Mi}}\n        \
                 volumeMounts:\n        \
                 - name: home\n          \
                   mountPath: /gainsay\n      \
               volumes:\n      \
               - name: home\n        \
                 emptyDir: {{}}\n",
        workers * 10,
        u64::from(*hours) * 3600 + 600,
        text(image),
        command.map(text).join(", "),
        text(secret),
        total = memory * u64::from(*jobs),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> Args {
        let store: Place = "postgres://lab@db.example/solvers#it_s".parse().expect("an address");
        Args { store, workers: 3, jobs: 8, memory: 1000, hours: 2 }
    }

    #[test]
    fn job_files_have_no_password_and_all_limits() {
        let args = args();
        let told = slurm(&args, &args.store.to_string());
        for line in [
            "#SBATCH --array=1-3",
            "#SBATCH --cpus-per-task=8",
            "#SBATCH --time=2:00:00",
            "exec gainsay work --store 'postgres://lab@db.example/solvers#it_s' --jobs 8 --for 110m --findings-are-fine",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
        assert_eq!(quoted("it's"), "'it'\\''s'");
        let what = Kubernetes { args, image: "lab/gainsay:1".to_owned(), secret: "store".to_owned() };
        let told = manifest(&what, &what.args.store.to_string());
        for line in [
            "  parallelism: 3",
            "        image: \"lab/gainsay:1\"",
            "        command: [\"gainsay\", \"work\", \"--store\", \"postgres://lab@db.example/solvers#it_s\", \"--jobs\", \"8\", \
             \"--for\", \"2h\", \"--findings-are-fine\"]",
            "              name: \"store\"",
            "          limits: {cpu: \"8\", memory: 8000Mi}",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
    }

    #[test]
    fn there_is_at_least_one_of_each() {
        let base = ["gainsay", "cluster", "slurm", "--store", "postgres://lab@db.example/solvers"];
        for flag in ["--workers", "--jobs", "--hours"] {
            for (number, fine) in [("0", false), ("1", true)] {
                let args = [&base[..], &[flag, number]].concat();
                assert_eq!(crate::cli::accepts(&args).is_ok(), fine, "{flag} {number}");
            }
        }
    }

    #[test]
    fn a_server_that_only_this_machine_has_is_refused() {
        for text in ["postgres://lab@localhost/solvers", "postgres://lab@%2Frun%2Fsql/solvers"] {
            let store: Place = text.parse().expect("an address");
            let told = run(&What::Slurm(Args { store, ..args() })).expect_err("refused").to_string();
            assert!(told.contains("is this machine alone"), "{told}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_refused() {
        let store: Place = "postgres://lab:s3cret@db.example/solvers".parse().expect("an address");
        let told = run(&What::Slurm(Args { store, ..args() })).expect_err("refused").to_string();
        assert!(told.contains("leave the password out") && !told.contains("s3cret"), "{told}");
    }
}
