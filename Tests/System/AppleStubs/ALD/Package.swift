// swift-tools-version: 5.9
import PackageDescription

// Stands where Apple's own package would, so that TENURE_ALD_PATH can be tried without it.
let package = Package(
    name: "ALD",
    products: [.library(name: "ALD", targets: ["ALD"])],
    targets: [.target(name: "ALD")]
)
