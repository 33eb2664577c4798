/// A program without licensing, as the baseline for `bench-hello-client`.
@main struct Hello {
    static func main() async {
        print("Hello")
    }
}
