// swift-tools-version: 5.9
import PackageDescription

// A stand-in for Apple's package, so that TENURE_ALD_PATH can be tested without it.
let package = Package(
    name: "ALD",
    products: [.library(name: "ALD", targets: ["ALD"])],
    targets: [.target(name: "ALD")]
)
