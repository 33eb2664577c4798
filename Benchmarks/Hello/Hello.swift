/// A program without a license, to weigh `bench-hello-client` against.
@main struct Hello {
    static func main() async {
        print("Hello")
    }
}
