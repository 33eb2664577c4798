// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For targets that call C: every unsafe expression must be marked as unsafe.
let strictAndMemorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// On other systems, the package contains only the client and looks for no C library, so building an app never asks for
/// the server's libraries. `Scripts/check-doors` reads the package as a Mac does.
#if os(Linux)
    let isLinux = Context.environment["TENURE_AS_ON_A_MAC"] == nil
#else
    let isLinux = false
#endif

/// Whether another package depends on this one by its address. It then contains only the client on Linux, too.
let isDependency = {
    let folders = Context.packageDirectory.split(separator: "/").dropLast().suffix(2)
    return folders.last == "checkouts" && [".build", "SourcePackages"].contains(folders.first)
}()
let hasServer = isLinux && !isDependency

/// C libraries that a client needs only on Linux: on Apple systems, CryptoKit and URLSession replace them.
func onLinux(_ doors: String...) -> [Target.Dependency] { isLinux ? doors.map { .target(name: $0) } : [] }

/// The privacy manifest: what a client declares to Apple's systems about its use of a device.
let privacy: [Resource] = isLinux ? [] : [.copy("PrivacyInfo.xcprivacy")]
let noPrivacy = isLinux ? ["PrivacyInfo.xcprivacy"] : []

/// The folder of Apple's App License Delivery package, which only approved accounts can get. If set, Apple's license
/// engine is built in addition to the simulated one. We have not seen the package, and assume a product named ALD.
let applesPackage = Context.environment["TENURE_ALD_PATH"]
let ald: [Target.Dependency] =
    applesPackage.map { path in
        let folder = path.split(separator: "/").last.map(String.init) ?? path
        return [.product(name: "ALD", package: folder)]
    } ?? []

/// The build that the program reports: only letters and digits, because it becomes a C string literal.
let build = (Context.environment["TENURE_BUILD"] ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }

/// Sets the paths of a feature's targets: `Sources/FEATURE/NAME`, and `Tests/FEATURE/NAME` for tests.
func feature(_ folder: String, _ targets: Target...) -> [Target] {
    for target in targets { target.path = "\(target.isTest ? "Tests" : "Sources")/\(folder)/\(target.name)" }
    return targets
}

/// A library of the platform or of a feature.
func library(
    _ name: String, _ needs: [String] = [], c doors: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = [], settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: needs.map { .byName(name: $0) } + doors, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

/// The tests of a target. Starting processes takes calls that only Linux has.
func tests(_ name: String, _ needs: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: (needs + ["GoldenFiles"] + (isLinux ? ["TestProcesses"] : [])).map { .byName(name: $0) },
        swiftSettings: strict)
}

/// A program: an example, a benchmark, or a program that a test starts.
func program(
    _ name: String, _ needs: [String] = [], path: String, settings: [SwiftSetting] = strict, links: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: needs.map { .byName(name: $0) }, path: path, swiftSettings: settings,
        linkerSettings: links)
}

/// Links Swift's runtime into the optimized program, so that it runs without a toolchain, starts sooner and saves 4% of a
/// request. The runtime's archives don't name the two libraries that they need. The loader binds everything at the start,
/// so that the table of addresses is read-only afterwards. A target of a client must not have unsafe flags, because
/// package managers may then refuse apps that depend on it.
let ownRuntime: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now"], .when(configuration: .release)),
    .linkedLibrary("_FoundationCShims", .when(configuration: .release)),
    .linkedLibrary("_FoundationCollections", .when(configuration: .release)),
]

// Common dependencies of targets. `Scripts/check-architecture` checks which target may import which.
let law = ["TenureFormats", "TenureCrypto", "TenureCore"]
let client =
    ["TenureVault", "TenureFiles", "TenureHTTPClient", "TenureHTTP", "TenureThreads", "TenureFoundation"] + law
let server =
    ["TenureServerKit", "TenureCommandLine", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFiles"] + law
let marketplace = ["TenureMarketplaceServer", "TenureMarketplace"]
let features =
    [
        "TenureLicensingServer", "TenureLicensing", "TenureContentServer", "TenureContent", "TenurePackages",
        "TenureSellingServer", "TenureSelling",
    ] + marketplace

/// The targets that apps link: the client packages and their dependencies.
let clients: [Target] =
    feature(
        "Platform",
        library("TenureFoundation"),
        library("TenureCore"),
        library("TenureCrypto", c: onLinux("CSodium", "CCrypto"), settings: strictAndMemorySafe),
        library("TenureFormats", ["TenureCore", "TenureCrypto"]),
        library("TenureThreads", settings: strictAndMemorySafe),
        library("TenureFiles", exclude: noPrivacy, resources: privacy, settings: strictAndMemorySafe),
        library("TenureHTTP", ["TenureFiles"]),
        library(
            "TenureHTTPClient", ["TenureHTTP", "TenureFoundation", "TenureThreads"], c: onLinux("CCurl"),
            settings: strictAndMemorySafe),
        library("TenureVault", ["TenureFiles"], exclude: noPrivacy, resources: privacy))
    + feature(
        "Licensing",
        library("TenureLicensing", law),
        library("TenureClient", ["TenureLicensing"] + client, exclude: noPrivacy, resources: privacy))
    + feature(
        "Content",
        library("TenureContent", law),
        library("TenureContentClient", ["TenureContent", "TenureClient"] + client))
    + feature(
        "Marketplace",
        library("TenureMarketplace", law),
        library("TenureMarketplaceClient", ["TenureMarketplace", "TenureVault"] + law))

/// C libraries of the system that a client needs on Linux.
let clientDoors = feature(
    "Platform",
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]))

/// C libraries of the system that the server needs, and the few targets that are written in C.
let doors = feature(
    "Platform",
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CEpoll"),
    .systemLibrary(name: "CRights"),
    .target(name: "CFailing"),
    .target(name: "CBuild", cSettings: [.define("TENURE_BUILD", to: "\"\(build)\"")]))

/// The server, the program, and what plays a device.
let servers: [Target] =
    feature(
        "Platform",
        library(
            "TenureCommandLine", ["TenureFiles", "TenureThreads", "TenureFormats", "TenureCore"], c: ["CRights"],
            settings: strictAndMemorySafe),
        library(
            "TenureHTTPServer", ["TenureHTTP", "TenureFiles", "TenureThreads"], c: ["CEpoll"],
            settings: strictAndMemorySafe),
        library("TenureStore", ["TenureThreads", "TenureCore"]),
        library(
            "TenureSQLite", ["TenureStore", "TenureThreads", "TenureFiles", "TenureCore"], c: ["CSQLite"],
            settings: strictAndMemorySafe),
        library(
            "TenurePostgres", ["TenureStore", "TenureThreads", "TenureCore"], c: ["CPostgres"],
            settings: strictAndMemorySafe),
        library(
            "TenureServerKit",
            ["TenureCommandLine", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFiles"] + law,
            resources: [.embedInCode("Pages/pages.css")]))
    + feature("Licensing", library("TenureLicensingServer", ["TenureLicensing"] + server))
    + feature(
        "Marketplace",
        library("TenureMarketplaceServer", ["TenureMarketplace"] + server, c: ald),
        library("TenurePackages", marketplace + server, c: ["CLinux", "CZlib"], settings: strictAndMemorySafe))
    + feature("Content", library("TenureContentServer", ["TenureContent"] + server))
    + feature(
        "Selling",
        library("TenureSelling", law),
        library(
            "TenureSellingServer", ["TenureSelling", "TenureLicensingServer", "TenureLicensing"] + server))
    + feature(
        "Simulation",
        library(
            "TenureDevice",
            [
                "TenureMarketplaceClient", "TenureMarketplace", "TenureHTTPClient", "TenureHTTP", "TenureCommandLine",
                "TenureFiles",
            ] + law),
        library("TenurePlayer", ["TenureContentClient", "TenureClient", "TenureCommandLine"] + client))
    + [
        program(
            "tenure",
            [
                "TenureSQLite", "TenurePostgres", "TenureHTTPServer", "CFailing", "CBuild", "TenurePlayer",
                "TenureDevice", "TenureHTTPClient",
            ] + features + server,
            path: "Sources/tenure", links: ownRuntime)
    ]

/// Sample apps that use the client.
let samples = [
    program("notes-cli", ["TenureClient"], path: "Examples/notes-cli", links: ownRuntime),
    program("lessons-cli", ["TenureContentClient", "TenureClient"], path: "Examples/lessons-cli"),
]

/// The programs of `make bench`; see Benchmarks/README.md.
let bench = [
    program(
        "bench-floor", ["TenureHTTPServer", "TenureHTTP", "TenureCrypto"], path: "Benchmarks/Floor", links: ownRuntime),
    program("bench-seed", ["TenureTesting", "TenureSQLite"] + features + server, path: "Benchmarks/Seed"),
    program("bench-renewals", ["TenureTesting", "TenureSQLite"] + features + server, path: "Benchmarks/Renewals"),
    program("bench-contents", ["TenureTesting", "TenureSQLite"] + features + server, path: "Benchmarks/Contents"),
    program("bench-client", ["TenureClient"], path: "Benchmarks/Client"),
    program("bench-hello", path: "Benchmarks/Hello"),
    program("bench-hello-client", ["TenureClient"], path: "Benchmarks/HelloClient"),
    program("bench-load", path: "Benchmarks/Load", settings: strictAndMemorySafe),
    program(
        "bench-content-client", ["TenureContentClient", "TenureContent", "TenureClient"] + client,
        path: "Benchmarks/ContentClient"),
    program("bench-bare-contents", ["CSQLite"], path: "Benchmarks/BareContents", settings: []),
    program("bench-bare", ["CSQLite"], path: "Benchmarks/Bare", settings: []),
    program("bench-bare-postgres", ["CPostgres"], path: "Benchmarks/BarePostgres", settings: []),
]

/// The tests that Apple systems run too: those that need neither the server nor a program of their own.
/// `Scripts/check-doors` lists them.
let portableChecks: [Target] =
    feature(
        "Platform",
        tests("TenureCoreTests", ["TenureCore"]),
        tests("TenureCryptoTests", ["TenureCrypto"]),
        tests("TenureFilesTests", ["TenureFiles"]),
        tests("TenureHTTPTests", ["TenureHTTP"]),
        tests("TenureFormatsTests", law))
    + feature("Licensing", tests("TenureLicensingTests", ["TenureLicensing"] + law))
    + feature(
        "Marketplace",
        tests("TenureMarketplaceTests", ["TenureMarketplace"] + law),
        tests("TenureMarketplaceClientTests", ["TenureMarketplaceClient", "TenureMarketplace", "TenureCore"]))
    + feature(
        "Content",
        tests("TenureContentTests", ["TenureContent"] + law),
        tests("TenureContentClientTests", ["TenureContentClient", "TenureContent", "TenureClient"] + client))
    + [
        // Compares stored bytes with the golden files.
        .target(name: "GoldenFiles", path: "Tests/Platform/GoldenFiles", swiftSettings: strict)
    ]

/// The other tests, and the programs that they start.
let checks: [Target] =
    feature(
        "Platform",
        tests("TenureThreadsTests", ["clock-step", "TenureThreads"]),
        tests("TenureCommandLineTests", ["TenureCommandLine"]),
        tests("TenureHTTPServerTests", ["TenureHTTPServer", "TenureServerKit", "TenureHTTP", "TenureThreads"]),
        tests("TenureHTTPClientTests", ["TenureHTTPClient", "TenureHTTPServer", "TenureHTTP"]),
        tests("TenureStoreTests", ["TenureTesting"] + features + server),
        tests("TenureSQLiteTests", ["TenureTesting", "TenureSQLite"] + features + server),
        tests(
            "TenurePostgresTests", ["TenureTesting", "TenureSQLite", "TenurePostgres"] + features + server),
        tests("TenureServerKitTests", ["TenureTesting", "TenureSQLite"] + server))
    + feature(
        "Licensing",
        tests(
            "TenureClientTests",
            ["launch-check", "TenureClient", "TenureLicensing", "TenureHTTPServer"] + client))
    + feature(
        "Marketplace",
        tests("TenureMarketplaceServerTests", marketplace + law),
        tests("TenurePackagesTests", ["TenurePackages", "TenureTesting", "TenureSQLite"] + marketplace + server))
    + feature(
        "Content",
        tests("TenureContentServerTests", ["TenureContentServer", "TenureContent"] + law))
    + feature("Selling", tests("TenureSellingTests", ["TenureSelling"] + law))
    + feature(
        "Simulation",
        tests(
            "TenureDeviceTests",
            ["TenureDevice", "TenureMarketplaceClient", "TenureMarketplace", "TenureHTTPClient", "TenureHTTP"] + law))
    + feature(
        "System",
        tests("ServerTests", ["tenure", "TenureTesting", "TenureSQLite", "TenureHTTPServer"] + features + server))
    + [
        // Contract tests and sample rows for the tables of all features, test clocks, and stores that fail on purpose.
        .target(
            name: "TenureTesting", dependencies: (features + server).map { .byName(name: $0) },
            path: "Tests/Platform/TenureTesting", swiftSettings: strict),
        // Starts programs, and ends them.
        .target(name: "TestProcesses", path: "Tests/Platform/TestProcesses", swiftSettings: strict),
        // A program whose wall clock is set while it waits.
        program("clock-step", ["TenureThreads"], path: "Tests/Platform/ClockStep"),
        // A program that TenureClientTests starts with another clock.
        program("launch-check", ["TenureClient"], path: "Tests/Licensing/LaunchCheck"),
        // A server with the tests' own feature, which Tests/System/Servers starts and kills.
        program(
            "job-server", ["TenureTesting", "TenureSQLite", "TenurePostgres"] + server,
            path: "Tests/System/JobServer"),
    ]

let package = Package(
    name: "tenure",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "TenureClient", targets: ["TenureClient"]),
        .library(name: "TenureContentClient", targets: ["TenureContentClient"]),
        .library(name: "TenureMarketplaceClient", targets: ["TenureMarketplaceClient"]),
    ] + (hasServer ? [.executable(name: "tenure", targets: ["tenure"])] : []),
    dependencies: applesPackage.map { [.package(path: $0)] } ?? [],
    targets: clients + (isLinux ? clientDoors : []) + (isDependency ? [] : portableChecks)
        + (hasServer ? doors + servers + samples + bench + checks : [])
)
