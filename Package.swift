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

/// What apps link.
let client: [Target] = [
    .target(name: "TenureCore", swiftSettings: strict),
    .target(
        name: "TenureCrypto", dependencies: onLinux("CSodium", "CCrypto"),
        swiftSettings: strictAndMemorySafe),
    .target(name: "TenureFormats", dependencies: ["TenureCore", "TenureCrypto"], swiftSettings: strict),
    .target(name: "TenureThreads", swiftSettings: strictAndMemorySafe),
    .target(
        name: "TenureHTTPClient", dependencies: ["TenureThreads"] + onLinux("CCurl"),
        swiftSettings: strictAndMemorySafe),
    .target(name: "TenureVault", exclude: noPrivacy, resources: privacy, swiftSettings: strict),
    .target(
        name: "TenureClient",
        dependencies: ["TenureVault", "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore"],
        exclude: noPrivacy, resources: privacy, swiftSettings: strict),
    .target(
        name: "TenureContentClient",
        dependencies: [
            "TenureClient", "TenureVault", "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureMarketplaceClient", dependencies: ["TenureVault", "TenureFormats", "TenureCore"],
        swiftSettings: strict),
]

/// Doors to C, and what only C can say.
let doors: [Target] = [
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
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
]

/// The server, the program, and the simulated device.
let server: [Target] = [
    .target(
        name: "TenureEngines", dependencies: ["TenureFormats", "TenureCrypto", "TenureCore"] + ald,
        swiftSettings: strict),
    .target(name: "TenureRights", dependencies: ["TenureThreads", "CRights"], swiftSettings: strictAndMemorySafe),
    .target(name: "TenureStore", dependencies: ["TenureCore"], swiftSettings: strict),
    .target(name: "TenureSQL", dependencies: ["TenureStore", "TenureThreads"], swiftSettings: strict),
    .target(
        name: "TenureSQLite", dependencies: ["TenureSQL", "TenureStore", "TenureThreads", "CSQLite"],
        swiftSettings: strictAndMemorySafe),
    .target(
        name: "TenurePostgres",
        dependencies: ["TenureSQL", "TenureStore", "TenureCore", "TenureThreads", "CPostgres"],
        swiftSettings: strictAndMemorySafe),
    .target(name: "TenureHTTP", swiftSettings: strict),
    .target(
        name: "TenureHTTPServer", dependencies: ["TenureHTTP", "TenureThreads", "CMicrohttpd"],
        swiftSettings: strictAndMemorySafe),
    .target(
        name: "TenureLint", dependencies: ["TenureFormats", "TenureCrypto"], swiftSettings: strict),
    .target(
        name: "TenureDevice",
        dependencies: [
            "TenureMarketplaceClient", "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureConformance",
        dependencies: [
            "TenureDevice", "TenureLint", "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureServerKit",
        dependencies: [
            "TenureStore", "TenureHTTP", "TenureThreads", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenurePages",
        dependencies: ["TenureServerKit", "TenureHTTP", "TenureFormats", "TenureCrypto", "TenureCore"],
        resources: [.embedInCode("pages.css")],
        swiftSettings: strict),
    .target(
        name: "TenureLicensing",
        dependencies: [
            "TenurePages", "TenureServerKit", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFormats",
            "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureMarketplace",
        dependencies: [
            "TenurePages", "TenureServerKit", "TenureEngines", "TenureStore", "TenureHTTP", "TenureThreads",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureContent",
        dependencies: [
            "TenurePages", "TenureServerKit", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFormats",
            "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenurePackages",
        dependencies: [
            "TenureMarketplace", "TenureServerKit", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFormats",
            "TenureCrypto", "TenureCore", "TenureRights", "CLinux", "CZlib",
        ],
        swiftSettings: strictAndMemorySafe),
    .target(
        name: "TenureAccounts",
        dependencies: [
            "TenureMarketplace", "TenurePages", "TenureServerKit", "TenureStore", "TenureHTTP", "TenureFormats",
            "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureServer",
        dependencies: [
            "TenureAccounts", "TenureLicensing", "TenureMarketplace", "TenurePackages", "TenureContent",
            "TenureServerKit",
            "TenureEngines", "TenureStore", "TenureHTTP", "TenureThreads",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .target(
        name: "TenureTesting",
        dependencies: [
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenurePackages", "TenureContent",
            "TenureServerKit", "TenureStore",
            "TenureHTTP", "TenureThreads", "TenureFormats", "TenureCrypto",
            "TenureCore",
        ],
        swiftSettings: strict),
    .target(name: "TenureCommandLine", swiftSettings: strictAndMemorySafe),
    .executableTarget(
        name: "tenure",
        dependencies: [
            "TenureCommandLine", "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureAccounts",
            "TenurePackages", "TenureContent", "TenurePages", "TenureServerKit", "TenureSQLite", "TenurePostgres",
            "TenureStore", "TenureHTTPServer", "TenureHTTP", "TenureEngines", "TenureContentClient", "TenureClient",
            "TenureVault", "TenureConformance", "TenureDevice", "TenureMarketplaceClient", "TenureLint",
            "TenureHTTPClient", "TenureFormats", "TenureCrypto", "TenureCore", "TenureThreads", "TenureRights",
            "CFailing", "CBuild",
        ],
        swiftSettings: strict),
]

/// Small apps on the client.
let samples: [Target] = [
    .executableTarget(
        name: "notes-cli", dependencies: ["TenureClient"], path: "Examples/notes-cli", swiftSettings: strict),
    .executableTarget(
        name: "lessons-cli", dependencies: ["TenureContentClient", "TenureClient"], path: "Examples/lessons-cli",
        swiftSettings: strict),
]

/// What `make bench` runs; see Benchmarks/README.md.
let bench: [Target] = [
    .executableTarget(
        name: "bench-floor", dependencies: ["TenureHTTPServer", "TenureHTTP", "TenureCrypto"],
        path: "Benchmarks/Floor", swiftSettings: strict),
    .executableTarget(
        name: "bench-seed",
        dependencies: [
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit", "TenureSQLite",
            "TenureStore",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        path: "Benchmarks/Seed", swiftSettings: strict),
    .executableTarget(
        name: "bench-renewals",
        dependencies: [
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit", "TenureSQLite",
            "TenureStore",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        path: "Benchmarks/Renewals", swiftSettings: strict),
    .executableTarget(
        name: "bench-client", dependencies: ["TenureClient"], path: "Benchmarks/Client", swiftSettings: strict),
    .executableTarget(name: "bench-hello", path: "Benchmarks/Hello", swiftSettings: strict),
    .executableTarget(
        name: "bench-hello-client", dependencies: ["TenureClient"], path: "Benchmarks/HelloClient",
        swiftSettings: strict),
    .executableTarget(name: "bench-load", path: "Benchmarks/Load", swiftSettings: strictAndMemorySafe),
    .executableTarget(
        name: "bench-contents",
        dependencies: [
            "TenureServer", "TenureContent", "TenureServerKit", "TenureSQLite", "TenureStore", "TenureFormats",
            "TenureCrypto", "TenureCore",
        ],
        path: "Benchmarks/Contents", swiftSettings: strict),
    .executableTarget(
        name: "bench-content-client",
        dependencies: [
            "TenureContentClient", "TenureClient", "TenureVault", "TenureHTTPClient", "TenureFormats",
            "TenureCrypto",
            "TenureCore",
        ],
        path: "Benchmarks/ContentClient", swiftSettings: strict),
    .executableTarget(
        name: "bench-bare-contents", dependencies: ["CSQLite"], path: "Benchmarks/BareContents"),
    .executableTarget(name: "bench-bare", dependencies: ["CSQLite"], path: "Benchmarks/Bare"),
    .executableTarget(name: "bench-bare-postgres", dependencies: ["CPostgres"], path: "Benchmarks/BarePostgres"),
]

/// Tests, and the programs that they start.
let tests: [Target] = [
    .testTarget(name: "TenureCoreTests", dependencies: ["TenureCore"], swiftSettings: strict),
    .testTarget(name: "TenureCryptoTests", dependencies: ["TenureCrypto"], swiftSettings: strict),
    // What TenureThreadsTests starts: a program whose wall clock is set while it waits.
    .executableTarget(
        name: "clock-step", dependencies: ["TenureThreads"], path: "Tests/Platform/ClockStep", swiftSettings: strict),
    .testTarget(
        name: "TenureThreadsTests", dependencies: ["clock-step", "TenureThreads"], swiftSettings: strict),
    .testTarget(
        name: "TenureFormatsTests", dependencies: ["TenureFormats", "TenureCrypto", "TenureCore"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureEnginesTests",
        dependencies: ["TenureEngines", "TenureFormats", "TenureCrypto", "TenureCore"], swiftSettings: strict),
    .testTarget(name: "TenureHTTPTests", dependencies: ["TenureHTTP"], swiftSettings: strict),
    .testTarget(name: "TenureCommandLineTests", dependencies: ["TenureCommandLine"], swiftSettings: strict),
    .testTarget(
        name: "TenureHTTPServerTests", dependencies: ["TenureHTTPServer", "TenureHTTP", "TenureThreads"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureHTTPClientTests", dependencies: ["TenureHTTPClient", "TenureHTTPServer", "TenureHTTP"],
        swiftSettings: strict),
    // What TenureClientTests starts under another clock.
    .executableTarget(
        name: "launch-check", dependencies: ["TenureClient"], path: "Tests/Licensing/LaunchCheck", swiftSettings: strict
    ),
    .testTarget(
        name: "TenureClientTests",
        dependencies: [
            "launch-check", "TenureClient", "TenureVault", "TenureHTTPClient", "TenureHTTPServer", "TenureHTTP",
            "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenureContentClientTests",
        dependencies: [
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
        name: "TenureMarketplaceClientTests", dependencies: ["TenureMarketplaceClient", "TenureCore"],
        swiftSettings: strict),
    .testTarget(
        name: "TenureDeviceTests",
        dependencies: [
            "TenureDevice", "TenureMarketplaceClient", "TenureHTTPClient", "TenureFormats", "TenureCrypto",
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
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit",
            "TenureSQLite", "TenureSQL", "TenureTesting", "TenureStore", "TenureThreads", "TenureCore",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TenurePostgresTests",
        dependencies: [
            "TenureServer", "TenureLicensing", "TenureMarketplace", "TenureServerKit",
            "TenurePostgres", "TenureSQLite", "TenureTesting", "TenureStore", "TenureThreads", "TenureCore",
        ],
        swiftSettings: strict),
    // What Tests/System/Servers starts and kills: a server with a room of the tests' own.
    .executableTarget(
        name: "job-server",
        dependencies: [
            "TenureTesting", "TenureServer", "TenureServerKit", "TenureSQLite", "TenurePostgres", "TenureStore",
            "TenureCore",
        ],
        path: "Tests/System/JobServer", swiftSettings: strict),
    .testTarget(
        name: "TenureServerKitTests",
        dependencies: [
            "TenureServerKit", "TenureTesting", "TenureStore", "TenureHTTP", "TenureThreads", "TenureFormats",
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
            "TenureServer", "TenureAccounts", "TenureLicensing", "TenureMarketplace", "TenureContent",
            "TenurePages",
            "TenureServerKit", "TenureEngines", "TenureSQLite", "TenureStore", "TenureTesting",
            "TenureHTTP", "TenureThreads", "TenureFormats", "TenureCrypto", "TenureCore",
        ],
        swiftSettings: strict),
]

/// Targets by the folder that they stand in, below `Sources` or `Tests`: a feature, or the platform under all features.
let folders: [String: Set<String>] = [
    "Licensing": ["TenureLicensing", "TenureClient", "TenureClientTests"],
    "Marketplace": [
        "TenureMarketplace", "TenureAccounts", "TenureEngines", "TenurePackages", "TenureMarketplaceClient",
        "TenureDevice", "TenureLint", "TenureConformance", "TenureEnginesTests", "TenurePackagesTests",
        "TenureMarketplaceClientTests", "TenureDeviceTests", "TenureLintTests", "TenureConformanceTests",
    ],
    "Content": ["TenureContent", "TenureContentClient", "TenureContentClientTests"],
    "System": ["TenureServerTests"],
]

let targets = client + (isLinux ? doors + server + samples + bench + tests : [])
for target in targets where target.path == nil && target.name != "tenure" {
    let folder = folders.first { $0.value.contains(target.name) }?.key ?? "Platform"
    target.path = "\(target.isTest ? "Tests" : "Sources")/\(folder)/\(target.name)"
}

let package = Package(
    name: "tenure",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "TenureClient", targets: ["TenureClient"]),
        .library(name: "TenureContentClient", targets: ["TenureContentClient"]),
        .library(name: "TenureMarketplaceClient", targets: ["TenureMarketplaceClient"]),
    ] + (isLinux ? [.executable(name: "tenure", targets: ["tenure"])] : []),
    dependencies: applesPackage.map { [.package(path: $0)] } ?? [],
    targets: targets
)
