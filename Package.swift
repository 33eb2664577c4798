// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For the targets that talk to C: every unsafe expression is spelled so.
let strictAndMemorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Elsewhere there is the client alone, and not one C library is looked for: nobody who builds an app is told of what a
/// server needs. `Scripts/check-doors` reads the package as a Mac would.
#if os(Linux)
    let isLinux = Context.environment["TENURE_AS_ON_A_MAC"] == nil
#else
    let isLinux = false
#endif

/// C libraries that a client on an Apple system never needs: there, CryptoKit and URLSession do their work.
func onLinux(_ doors: String...) -> [Target.Dependency] { isLinux ? doors.map { .target(name: $0) } : [] }

/// What a client tells Apple's systems that it does with a device.
let privacy: [Resource] = isLinux ? [] : [.copy("PrivacyInfo.xcprivacy")]
let noPrivacy = isLinux ? ["PrivacyInfo.xcprivacy"] : []

/// The folder of Apple's App License Delivery package, which only approved accounts can get; with it, the license
/// engine is Apple's as well as the simulated one. Its layout has not been seen here: a product ALD is presumed.
let applesPackage = Context.environment["TENURE_ALD_PATH"]
let ald: [Target.Dependency] =
    applesPackage.map { path in
        let folder = path.split(separator: "/").last.map(String.init) ?? path
        return [.product(name: "ALD", package: folder)]
    } ?? []

/// What the program says of its build: letters and digits, for it becomes a text in C.
let build = (Context.environment["TENURE_BUILD"] ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }

/// Puts targets into the folder of their feature: `Sources/FEATURE/NAME`, and tests into `Tests/FEATURE/NAME`.
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

/// The tests of a target.
func tests(_ name: String, _ needs: [String] = []) -> Target {
    .testTarget(name: name, dependencies: needs.map { .byName(name: $0) }, swiftSettings: strict)
}

/// A program: an example, a benchmark or what a test starts.
func program(_ name: String, _ needs: [String] = [], path: String, settings: [SwiftSetting] = strict) -> Target {
    .executableTarget(
        name: name, dependencies: needs.map { .byName(name: $0) }, path: path, swiftSettings: settings)
}

// What targets stand on. `Scripts/check-architecture` says who may import whom.
let law = ["TenureFormats", "TenureCrypto", "TenureCore"]
let client = ["TenureVault", "TenureHTTPClient"] + law
let server = ["TenureServerKit", "TenureCommandLine", "TenureStore", "TenureHTTP", "TenureThreads"] + law
let marketplace = ["TenureMarketplaceServer", "TenureMarketplace"]
let features =
    [
        "TenureLicensingServer", "TenureLicensing", "TenureContentServer", "TenureContent", "TenurePackages",
    ] + marketplace

/// What apps link: the client packages and what they stand on.
let clients: [Target] =
    feature(
        "Platform",
        library("TenureCore"),
        library("TenureCrypto", c: onLinux("CSodium", "CCrypto"), settings: strictAndMemorySafe),
        library("TenureFormats", ["TenureCore", "TenureCrypto"]),
        library("TenureThreads", settings: strictAndMemorySafe),
        library("TenureHTTPClient", ["TenureThreads"], c: onLinux("CCurl"), settings: strictAndMemorySafe),
        library("TenureVault", exclude: noPrivacy, resources: privacy))
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

/// Doors to C, and what only C can say.
let doors = feature(
    "Platform",
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CRights"),
    .target(name: "CFailing"),
    .target(name: "CBuild", cSettings: [.define("TENURE_BUILD", to: "\"\(build)\"")]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]))

/// The server, the program, and the simulated device.
let servers: [Target] =
    feature(
        "Platform",
        library("TenureCommandLine", ["TenureThreads"], c: ["CRights"], settings: strictAndMemorySafe),
        library("TenureHTTP"),
        library(
            "TenureHTTPServer", ["TenureHTTP", "TenureThreads"], c: ["CMicrohttpd"], settings: strictAndMemorySafe),
        library("TenureStore", ["TenureThreads", "TenureCore"]),
        library("TenureSQLite", ["TenureStore", "TenureThreads"], c: ["CSQLite"], settings: strictAndMemorySafe),
        library(
            "TenurePostgres", ["TenureStore", "TenureThreads", "TenureCore"], c: ["CPostgres"],
            settings: strictAndMemorySafe),
        library(
            "TenureServerKit", ["TenureCommandLine", "TenureStore", "TenureHTTP", "TenureThreads"] + law,
            resources: [.embedInCode("Pages/pages.css")]),
        library("TenureServer", features + server),
        library("TenureTesting", ["TenureServer"] + features + server))
    + feature("Licensing", library("TenureLicensingServer", ["TenureLicensing"] + server))
    + feature(
        "Marketplace",
        library("TenureMarketplaceServer", ["TenureMarketplace"] + server, c: ald),
        library("TenurePackages", marketplace + server, c: ["CLinux", "CZlib"], settings: strictAndMemorySafe),
        library("TenureDevice", ["TenureMarketplaceClient", "TenureMarketplace", "TenureHTTPClient"] + law))
    + feature("Content", library("TenureContentServer", ["TenureContent"] + server))
    + [
        program(
            "tenure",
            ["TenureServer", "TenureSQLite", "TenurePostgres", "TenureHTTPServer", "CFailing", "CBuild"] + features
                + server
                + ["TenureContentClient", "TenureClient", "TenureDevice", "TenureMarketplaceClient"] + client,
            path: "Sources/tenure")
    ]

/// Small apps on the client.
let samples = [
    program("notes-cli", ["TenureClient"], path: "Examples/notes-cli"),
    program("lessons-cli", ["TenureContentClient", "TenureClient"], path: "Examples/lessons-cli"),
]

/// What `make bench` runs; see Benchmarks/README.md.
let bench = [
    program("bench-floor", ["TenureHTTPServer", "TenureHTTP", "TenureCrypto"], path: "Benchmarks/Floor"),
    program("bench-seed", ["TenureServer", "TenureSQLite"] + features + server, path: "Benchmarks/Seed"),
    program("bench-renewals", ["TenureServer", "TenureSQLite"] + features + server, path: "Benchmarks/Renewals"),
    program("bench-contents", ["TenureServer", "TenureSQLite"] + features + server, path: "Benchmarks/Contents"),
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

/// Tests, what they share, and the programs that they start.
let tests: [Target] = [
    // How tests start other programs.
    .target(name: "TestProcesses", path: "Tests/TestProcesses", swiftSettings: strictAndMemorySafe),
    .testTarget(name: "TenureCoreTests", dependencies: ["TenureCore"], swiftSettings: strict),
    .testTarget(name: "TenureCryptoTests", dependencies: ["TenureCrypto"], swiftSettings: strict),
    // What TenureThreadsTests starts: a program whose wall clock is set while it waits.
    .executableTarget(
        name: "clock-step", dependencies: ["TenureThreads"], path: "Tests/ClockStep", swiftSettings: strict),
    .testTarget(
        name: "TenureThreadsTests", dependencies: ["TestProcesses", "clock-step", "TenureThreads"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureFormatsTests", dependencies: ["TenureFormats", "TenureCrypto", "TenureCore"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureEnginesTests",
        dependencies: ["TenureEngines", "TenureFormats", "TenureCrypto", "TenureCore"], swiftSettings: strict),
    .testTarget(name: "TenureHTTPTests", dependencies: ["TenureHTTP"], swiftSettings: strict),
    .testTarget(
        name: "TenureCommandLineTests", dependencies: ["TestProcesses", "TenureCommandLine"], swiftSettings: strict),
    .testTarget(
        name: "TenureHTTPServerTests", dependencies: ["TenureHTTPServer", "TenureHTTP", "TenureThreads"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureHTTPClientTests",
        dependencies: ["TestProcesses", "TenureHTTPClient", "TenureHTTPServer", "TenureHTTP"],
        swiftSettings: strict),
    // What TenureClientTests starts under another clock.
    .executableTarget(
        name: "launch-check", dependencies: ["TenureClient"], path: "Tests/LaunchCheck", swiftSettings: strict),
    .testTarget(
        name: "TenureClientTests",
        dependencies: [
            "TestProcesses",
            "launch-check", "TenureClient", "TenureVault", "TenureHTTPClient", "TenureHTTPServer", "TenureHTTP",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureContentClientTests",
        dependencies: [
            "TestProcesses",
            "TenureContentClient", "TenureClient", "TenureVault", "TenureHTTPClient", "TenureFormats",
            "TenureCrypto",
            "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureLintTests", dependencies: ["TenureLint", "TenureFormats", "TenureCrypto"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureConformanceTests",
        dependencies: [
            "TenureConformance", "TenureDevice", "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureMarketplaceClientTests", dependencies: ["TestProcesses", "TenureMarketplaceClient", "TenureCore"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureDeviceTests",
        dependencies: [
            "GoldenFiles", "TenureDevice", "TenureMarketplaceClient", "TenureHTTPClient", "TenureFormats",
            "TenureCrypto",
            "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureSQLTests",
        dependencies: [
            "TenureSQL", "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit", "TenureStore",
            "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureSQLiteTests",
        dependencies: [
            "TestProcesses",
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit",
            "TenureSQLite", "TenureSQL", "TenureTesting", "TenureStore", "TenureThreads", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenurePostgresTests",
        dependencies: [
            "TestProcesses",
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureContent", "TenureServerKit",
            "TenurePostgres", "TenureSQLite", "TenureTesting", "TenureStore", "TenureThreads", "TenureCore",
        ],
        swiftSettings: strict),
    // What Tests/Servers starts and kills: a server with a room of the tests' own.
    .executableTarget(
        name: "job-server",
        dependencies: [
            "TenureTesting", "TenureServer", "TenureServerKit", "TenureSQLite", "TenurePostgres", "TenureStore",
            "TenureCore",
        ],
        path: "Tests/JobServer", swiftSettings: strict),
    .testTarget(
        name: "TenureServerKitTests",
        dependencies: [
            "GoldenFiles", "TenureServerKit", "TenureTesting", "TenureStore", "TenureHTTP", "TenureThreads",
            "TenureFormats",
            "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenurePackagesTests",
        dependencies: [
            "TenurePackages", "TenureServer", "TenureMarketplace", "TenureServerKit", "TenureSQLite", "TenureStore",
            "TenureTesting", "TenureHTTP", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureServerTests",
        dependencies: [
            "GoldenFiles", "TenureServer", "TenureAccounts", "TenureLicensing", "TenureMarketplace", "TenureContent",
            "TenurePackages", "TenurePages",
            "TenureServerKit", "TenureEngines", "TenureSQLite", "TenureStore", "TenureTesting",
            "TenureHTTP", "TenureThreads", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
]

let package = Package(
    name: "tenure",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "TenureClient", targets: ["TenureClient"]),
        .library(name: "TenureContentClient", targets: ["TenureContentClient"]),
        .library(name: "TenureMarketplaceClient", targets: ["TenureMarketplaceClient"]),
    ] + (isLinux ? [.executable(name: "tenure", targets: ["tenure"])] : []),
    dependencies: applesPackage.map { [.package(path: $0)] } ?? [],
    targets: clients + (isLinux ? doors + servers + samples + bench + checks : [])
)
